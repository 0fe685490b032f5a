/** Applying an event once per handler, and storing events that cannot be applied. */
import { sql, type Kysely } from 'kysely';
import { inTransaction, type Tx } from '../../db-kit/transaction.ts';
import type { Envelope } from '../envelope.ts';

/** Called with the events that have had no effect yet, in their order; not at all when there are none. */
export type Handle<DB, Data> = (events: Envelope<Data>[], tx: Tx<DB>) => Promise<void>;

/**
 * Runs the handler in a transaction that also notes (event, handler) in the inbox for each event.
 * @returns the events that were applied; the others had been applied before and were skipped
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
    // A second delivery at the same time waits here for the first one's outcome. Rows are written in one
    // order, so that two processes with the same events do not deadlock; an event that is listed twice is
    // written once.
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
  /** The fault; it names fields, never values. */
  reason: string;
  deliveries: number;
};

/** Stores an event that could not be applied; the last reason wins. */
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

/** Stores the reason why a dead letter failed again. It keeps its place among the others. */
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

/** Deletes a dead letter after it was applied or dropped. @returns whether it existed */
export async function forgetDeadLetter<DB>(
  db: Kysely<DB>,
  handler: string,
  eventId: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from dead_letter where handler = ${handler} and event_id = ${eventId}`.execute(db);
  return numAffectedRows === 1n;
}

export type KeptLetter = {
  event_id: string;
  handler: string;
  subject: string;
  deliveries: number;
  created_at: Date;
  reason: string;
};

/** The oldest dead letters of all handlers without their events, and how many there are. */
export async function keptLetters<DB>(
  db: Kysely<DB>,
  most: number,
): Promise<{ letters: KeptLetter[]; total: number }> {
  const { rows } = await sql<KeptLetter & { total: number }>`
    select event_id, handler, subject, deliveries, created_at, reason, count(*) over ()::int as total
    from dead_letter order by created_at, event_id, handler limit ${most}`.execute(db);
  return { letters: rows, total: rows[0]?.total ?? 0 };
}

/** The class of the error in a reason; never its text, which may quote data of the event. */
export const faultOf = (reason: string): string => /^[A-Za-z]{1,60}(?=: )/.exec(reason)?.[0] ?? 'unknown';
