/** Applying an event once per handler, and keeping what cannot be applied. */
import { sql, type Kysely } from 'kysely';
import { inTransaction, type Tx } from '../db-kit/transaction.ts';
import type { Envelope } from './envelope.ts';

/** Called with the events that have had no effect yet, in their order; not at all when there are none. */
export type Handle<DB, Data> = (events: Envelope<Data>[], tx: Tx<DB>) => Promise<void>;

/**
 * Runs the handler in a transaction that also notes (event, handler) in the inbox for each event.
 * @returns the events that were applied; the others had been before, and nothing was done for them
 */
export async function applyOnce<DB, Data>(
  db: Kysely<DB>,
  handler: string,
  events: Envelope<Data>[],
  handle: Handle<DB, Data>,
): Promise<Envelope<Data>[]> {
  if (events.length === 0) return [];
  const ids = events.map((event) => event.id);
  return await inTransaction(db, async (tx) => {
    // A second delivery that runs at the same time waits here for the first one's outcome. In one order, so that two
    // processes with the same events do not wait for each other; an event that is here twice is noted once.
    const { rows } = await sql<{ event_id: string }>`
      /*keep inbox*/ insert into inbox (event_id, handler)
      select distinct id, ${handler}::text from unnest(${ids}::text[]) as id order by id
      on conflict do nothing returning event_id`.execute(tx);
    const noted = new Set(rows.map((row) => row.event_id));
    const fresh = events.filter((event) => noted.delete(event.id));
    if (fresh.length > 0) await handle(fresh, tx);
    return fresh;
  });
}

export type DeadLetter = {
  eventId: string;
  handler: string;
  subject: string;
  /** The message as it came. */
  message: string;
  /** What is wrong with it; names places, never values. */
  reason: string;
  deliveries: number;
};

/** Keeps an event that could not be applied; the last reason wins. */
export async function bury<DB>(db: Kysely<DB>, letter: DeadLetter): Promise<void> {
  await sql`
    insert into dead_letter (event_id, handler, subject, message, reason, deliveries)
    values (${letter.eventId}, ${letter.handler}, ${letter.subject}, ${letter.message}, ${letter.reason},
      ${letter.deliveries})
    on conflict (event_id, handler) do update
    set reason = excluded.reason, deliveries = excluded.deliveries, created_at = now()`.execute(db);
}

/**
 * The dead letters of one handler for one event, oldest first.
 * @param eventId the one of this event alone, where it is named
 */
export async function deadLetters<DB>(
  db: Kysely<DB>,
  handler: string,
  subject: string,
  eventId?: string,
): Promise<{ event_id: string; message: string }[]> {
  const { rows } = await sql<{ event_id: string; message: string }>`
    select event_id, message from dead_letter where handler = ${handler} and subject = ${subject}
      and event_id = coalesce(${eventId ?? null}::text, event_id)
    order by created_at, event_id`.execute(db);
  return rows;
}

/** What is wrong with a dead letter now, after one more try. Its place among the others stays. */
export async function noteRetry<DB>(
  db: Kysely<DB>,
  letter: Pick<DeadLetter, 'handler' | 'eventId' | 'reason'>,
): Promise<void> {
  await sql`
    update dead_letter set reason = ${letter.reason}, deliveries = deliveries + 1
    where handler = ${letter.handler} and event_id = ${letter.eventId}`.execute(db);
}

/** An error as the reason of a dead letter. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';

/** Forgets a dead letter, once it has been applied after all. */
export async function forgetDeadLetter<DB>(db: Kysely<DB>, handler: string, eventId: string): Promise<void> {
  await sql`delete from dead_letter where handler = ${handler} and event_id = ${eventId}`.execute(db);
}
