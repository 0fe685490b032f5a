/** What a consumer does with an event: in the database, once; or where no database remembers it. */
import type { EventContract, EventData } from '@karaar/contracts/kit';
import type { Kysely } from 'kysely';
import type { Tx } from '../db-kit/transaction.ts';
import type { Envelope } from './envelope.ts';
import { applyOnce } from './inbox.ts';

/** An effect in the service's database: it happens once, with the note of it in the same transaction. */
export type RecordedEffect<DB, E extends EventContract, Found> = {
  /** Asks others for what the event only refers to, before the transaction; `handle` is given the answer. */
  lookUp?: (event: Envelope<EventData<E>>) => Promise<Found>;
  /** Applies the event through `tx`. No network calls in here. Errors: see PoisonMessage. */
  handle: (event: Envelope<EventData<E>>, tx: Tx<DB>, found: Found) => Promise<void>;
  /**
   * Applies several events in one transaction; must leave behind what `handle` leaves for one after the other. When it
   * throws, each event is applied on its own. Events then gather for a moment while many come. Not with `lookUp`.
   */
  handleMany?: (events: Envelope<EventData<E>>[], tx: Tx<DB>) => Promise<void>;
  observe?: never;
};

/** An effect that no database holds, such as telling a screen. A repeated event reaches it again. */
export type ObservedEffect<E extends EventContract> = {
  observe: (event: Envelope<EventData<E>>) => void | Promise<void>;
  handle?: never;
  handleMany?: never;
};

export type Effect<DB, E extends EventContract, Found> = RecordedEffect<DB, E, Found> | ObservedEffect<E>;
export type Outcome = 'applied' | 'duplicate';

type HandleMany<DB, E extends EventContract> = NonNullable<RecordedEffect<DB, E, unknown>['handleMany']>;

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
  const { lookUp, handle } = effect;
  // Without a look-up there is nothing to find, which `Found` says by its default.
  const found = (await lookUp?.(event)) as Found;
  const fresh = await applyOnce(db, handlerName, [event], (_, tx: Tx<DB>) => handle(event, tx, found));
  return fresh.length > 0 ? 'applied' : 'duplicate';
}

/** Applies several in one transaction. @throws as `applyOne`, for all of them */
export async function applyMany<DB, E extends EventContract>(
  { db, handlerName }: At<DB>,
  handleMany: HandleMany<DB, E>,
  events: Envelope<EventData<E>>[],
): Promise<Outcome[]> {
  const fresh = await applyOnce(db, handlerName, events, (some, tx: Tx<DB>) => handleMany(some, tx));
  return events.map((event) => (fresh.includes(event) ? 'applied' : 'duplicate'));
}
