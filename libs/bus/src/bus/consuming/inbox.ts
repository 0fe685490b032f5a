/** The inbox: applies an event once per handler, and stores dead letters. */
import { sql, type Kysely } from 'kysely';
import { prepared } from '@karaar/db';
import { inTransaction, type Tx } from '@karaar/db';
import type { Envelope } from '../envelope.ts';

/** Called with the events that have not been applied, in order; not called if all have been applied. */
export type Handle<DB, Data> = (events: Envelope<Data>[], tx: Tx<DB>) => Promise<void>;

/**
 * Runs the handler in a transaction that also records (event, handler) in the inbox for each event.
 * @returns the events that were applied now; the others were already applied and skipped
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
    // A concurrent delivery of the same event waits here for the first one's outcome. Sorted rows prevent a
    // deadlock between two processes with the same events; a duplicate in the list is written once.
    const { rows } = await prepared(
      'inbox',
      sql<{ event_id: string }>`
      insert into inbox (event_id, handler)
      select distinct id, ${handler}::text from unnest(${ids}::text[]) as id order by id
      on conflict do nothing returning event_id`,
    ).execute(tx);
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
  message: string;
  /** The fault; it names fields, never values. */
  reason: string;
  deliveries: number;
};

/** Stores a dead letter; a repeated one gets the newest reason. */
export async function bury<DB>(db: Kysely<DB>, letter: DeadLetter): Promise<void> {
  await sql`
    insert into dead_letter (event_id, handler, subject, message, reason, deliveries)
    values (${letter.eventId}, ${letter.handler}, ${letter.subject}, ${letter.message}, ${letter.reason},
      ${letter.deliveries})
    on conflict (event_id, handler) do update
    set reason = excluded.reason, deliveries = excluded.deliveries, created_at = now()`.execute(db);
}

/**
 * Returns the dead letters of one handler, oldest first.
 * @param eventId limits the result to this event
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

/** Stores the new reason of a dead letter that failed again. Its position stays the same. */
export async function noteRetry<DB>(
  db: Kysely<DB>,
  letter: Pick<DeadLetter, 'handler' | 'eventId' | 'reason'>,
): Promise<void> {
  await sql`
    update dead_letter set reason = ${letter.reason}, deliveries = deliveries + 1
    where handler = ${letter.handler} and event_id = ${letter.eventId}`.execute(db);
}

/** Returns the name and message of an error for a dead letter; `unknown` for any other thrown value. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';

/** Selects dead letters; without a field, those of every handler or event. */
export type LetterFilter = { handler?: string | undefined; event?: string | undefined };

const matching = ({ handler, event }: LetterFilter) => sql`
  handler = coalesce(${handler ?? null}::text, handler) and event_id = coalesce(${event ?? null}::text, event_id)`;

/** Deletes dead letters of an event after they were applied or dropped, and returns them. */
export async function forgetDeadLetters<DB>(
  db: Kysely<DB>,
  filter: LetterFilter & { event: string },
): Promise<{ handler: string; message: string }[]> {
  const { rows } = await sql<{ handler: string; message: string }>`
    delete from dead_letter where ${matching(filter)} returning handler, message`.execute(db);
  return rows;
}

export type KeptLetter = {
  event_id: string;
  handler: string;
  subject: string;
  deliveries: number;
  created_at: Date;
  /** The error; it names fields, never values. */
  reason: string;
};

/** Returns the oldest dead letters without their messages, by default all, and their total number. */
export async function keptLetters<DB>(
  db: Kysely<DB>,
  filter: LetterFilter & { most?: number },
): Promise<{ letters: KeptLetter[]; total: number }> {
  const { rows } = await sql<KeptLetter & { total: number }>`
    select event_id, handler, subject, deliveries, created_at, reason, count(*) over ()::int as total
    from dead_letter where ${matching(filter)}
    order by created_at, event_id, handler limit ${filter.most ?? null}`.execute(db);
  return { letters: rows.map(({ total: _all, ...letter }) => letter), total: rows[0]?.total ?? 0 };
}

/** Returns the error class from a reason, without the text, which may quote event data. */
export const faultOf = (reason: string): string => /^[A-Za-z]{1,60}(?=: )/.exec(reason)?.[0] ?? 'unknown';
