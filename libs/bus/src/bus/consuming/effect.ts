/** The effect of an event in a consumer: recorded once in the database, or unrecorded. */
import type { EventContract, EventData } from '@karaar/contracts/kit';
import type { Kysely } from 'kysely';
import type { Tx } from '@karaar/db';
import type { Envelope } from '../envelope.ts';
import { applyOnce } from './inbox.ts';

/** An effect in the service's database: it happens once, recorded in the inbox in the same transaction. */
export type RecordedEffect<DB, E extends EventContract, Found> = {
  /**
   * Returns true if the event concerns this handler, judged by its data only. Other events are acknowledged
   * without a transaction or inbox row. By default every event concerns the handler.
   */
  concerns?: (event: Envelope<EventData<E>>) => boolean;
  /** Loads data that the event refers to, before the transaction; `handle` gets the result. */
  lookUp?: (event: Envelope<EventData<E>>) => Promise<Found>;
  /** Applies the event through `tx`. Must not use the network. Errors: see PoisonMessage. */
  handle: (event: Envelope<EventData<E>>, tx: Tx<DB>, found: Found) => Promise<void>;
  /**
   * Applies several events in one transaction, with the same result as `handle` for each in turn. If it or a
   * look-up throws, each event is applied on its own. Under load, events wait briefly to form a batch; their
   * look-ups run concurrently.
   *
   * @param found the results of `lookUp`, in the order of the events
   */
  handleMany?: (events: Envelope<EventData<E>>[], tx: Tx<DB>, found: Found[]) => Promise<void>;
  observe?: never;
};

/** An effect outside the database, such as a screen update. A repeated event causes it again. */
export type ObservedEffect<E extends EventContract> = {
  observe: (event: Envelope<EventData<E>>) => void | Promise<void>;
  concerns?: never;
  lookUp?: never;
  handle?: never;
  handleMany?: never;
};

export type Effect<DB, E extends EventContract, Found> = RecordedEffect<DB, E, Found> | ObservedEffect<E>;
export type Outcome = 'applied' | 'duplicate' | 'ignored';

type ManyEffect<DB, E extends EventContract, Found> = Pick<
  RecordedEffect<DB, E, Found>,
  'concerns' | 'lookUp'
> & { handleMany: NonNullable<RecordedEffect<DB, E, Found>['handleMany']> };

type At<DB> = { db: Kysely<DB>; handlerName: string };

/** Applies one event. @throws the error of the effect, which then has not happened */
export async function applyOne<DB, E extends EventContract, Found>(
  { db, handlerName }: At<DB>,
  effect: Effect<DB, E, Found>,
  event: Envelope<EventData<E>>,
): Promise<Outcome> {
  if (effect.observe) {
    await effect.observe(event);
    return 'applied';
  }
  const { concerns, lookUp, handle } = effect;
  if (concerns && !concerns(event)) return 'ignored';
  // Without `lookUp`, `Found` is undefined by its default.
  const found = (await lookUp?.(event)) as Found;
  const fresh = await applyOnce(db, handlerName, [event], (_, tx: Tx<DB>) => handle(event, tx, found));
  return fresh.length > 0 ? 'applied' : 'duplicate';
}

/** Applies several events in one transaction. @throws as `applyOne`, for all of them */
export async function applyMany<DB, E extends EventContract, Found>(
  { db, handlerName }: At<DB>,
  { concerns, lookUp, handleMany }: ManyEffect<DB, E, Found>,
  events: Envelope<EventData<E>>[],
): Promise<Outcome[]> {
  const concerning = concerns ? events.filter(concerns) : events;
  const answers = (await Promise.all(concerning.map((event) => lookUp?.(event)))) as Found[];
  const found = new Map(concerning.map((event, at) => [event, answers[at] as Found]));
  const fresh = await applyOnce(db, handlerName, concerning, (some, tx: Tx<DB>) =>
    handleMany(
      some,
      tx,
      some.map((event) => found.get(event) as Found),
    ),
  );
  return events.map((event) => {
    if (!found.has(event)) return 'ignored';
    return fresh.includes(event) ? 'applied' : 'duplicate';
  });
}
