/** The effect of an event in a consumer: once, in the database; or an effect that is not recorded in a database. */
import type { EventContract, EventData } from '@karaar/contracts/kit';
import type { Kysely } from 'kysely';
import type { Tx } from '../../db-kit/transaction.ts';
import type { Envelope } from '../envelope.ts';
import { applyOnce } from './inbox.ts';

/** An effect in the service's database: it happens once, with the note of it in the same transaction. */
export type RecordedEffect<DB, E extends EventContract, Found> = {
  /**
   * Whether the event concerns this handler at all, by what the event says and nothing else. Other events are
   * acknowledged without a transaction, and leave no note in the inbox. Without it, every event concerns the handler.
   */
  concerns?: (event: Envelope<EventData<E>>) => boolean;
  /** Looks up data that the event only refers to, before the transaction; `handle` gets the answer. */
  lookUp?: (event: Envelope<EventData<E>>) => Promise<Found>;
  /** Applies the event through `tx`. No network calls in here. Errors: see PoisonMessage. */
  handle: (event: Envelope<EventData<E>>, tx: Tx<DB>, found: Found) => Promise<void>;
  /**
   * Applies several events in one transaction; the result must be the same as of `handle` for one after the other.
   * When it throws, or a look-up does, each event is applied on its own. Events wait a moment to be batched when many
   * come; their look-ups are made at the same time.
   *
   * @param found what `lookUp` answered, for each event in their order
   */
  handleMany?: (events: Envelope<EventData<E>>[], tx: Tx<DB>, found: Found[]) => Promise<void>;
  observe?: never;
};

/** An effect outside the database, such as an update of a screen. A repeated event causes it again. */
export type ObservedEffect<E extends EventContract> = {
  observe: (event: Envelope<EventData<E>>) => void | Promise<void>;
  concerns?: never;
  lookUp?: never;
  handle?: never;
  handleMany?: never;
};

export type Effect<DB, E extends EventContract, Found> = RecordedEffect<DB, E, Found> | ObservedEffect<E>;
/** `ignored`: the event does not concern the handler. */
export type Outcome = 'applied' | 'duplicate' | 'ignored';

type ManyEffect<DB, E extends EventContract, Found> = Pick<
  RecordedEffect<DB, E, Found>,
  'concerns' | 'lookUp'
> & { handleMany: NonNullable<RecordedEffect<DB, E, Found>['handleMany']> };

type At<DB> = { db: Kysely<DB>; handlerName: string };

/** Applies one event. @throws what the effect throws; then nothing has happened */
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
  // Without a look-up there is nothing to find, which `Found` says by its default.
  const found = (await lookUp?.(event)) as Found;
  const fresh = await applyOnce(db, handlerName, [event], (_, tx: Tx<DB>) => handle(event, tx, found));
  return fresh.length > 0 ? 'applied' : 'duplicate';
}

/** Applies several in one transaction. @throws as `applyOne`, for all of them */
export async function applyMany<DB, E extends EventContract, Found>(
  { db, handlerName }: At<DB>,
  { concerns, lookUp, handleMany }: ManyEffect<DB, E, Found>,
  events: Envelope<EventData<E>>[],
): Promise<Outcome[]> {
  const concerning = concerns ? events.filter(concerns) : events;
  // Without a look-up there is nothing to find, which `Found` says by its default.
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
