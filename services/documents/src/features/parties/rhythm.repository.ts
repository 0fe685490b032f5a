/** Selects the parties to remind: invited or admitted some days ago, or with an answer-by date. */
import { uuidv7, type Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

export type Waiting = {
  document_id: string;
  user_id: string;
  primary_user: string;
  once: string;
  /** Set if the reminder is about this date. */
  answer_by: string | null;
};

/** A reminder that is later than this is skipped. */
const MISSED_DAYS = 2;

/**
 * Returns parties who have not answered `days` after they were invited or admitted, and were not reminded
 * within a day. Parties with an answer-by date get reminders of that date instead. With gentle reminders,
 * only the last of these days counts.
 */
export async function waitingSince(db: Db, days: readonly number[], limit: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    SELECT n.document_id, n.user_id, d.primary_user, concat_ws(':', 'rhythm', n.id, r.days) AS once, NULL AS answer_by
    FROM unnest(${days}::int[]) AS r (days)
    JOIN text_messages n ON n.kind IN ('invited', 'admitted')
      AND n.created_at <= now() - r.days * interval '1 day'
      AND n.created_at > now() - (r.days + ${MISSED_DAYS}::int) * interval '1 day'
    JOIN documents d ON d.id = n.document_id AND d.status IN ('pending', 'pending_approval')
      AND (d.reminders = 'usual' OR d.reminders = 'gentle' AND r.days = ${Math.max(0, ...days)}::int)
    JOIN parties p ON p.document_id = n.document_id AND p.user_id = n.user_id
      AND p.state IN ('invited', 'admitted') AND NOT p.approved AND p.answer_by IS NULL
    WHERE NOT EXISTS (SELECT FROM text_messages o WHERE o.once = concat_ws(':', 'rhythm', n.id, r.days))
      AND NOT EXISTS (
        SELECT FROM text_messages l
        WHERE l.document_id = n.document_id AND l.user_id = n.user_id AND (
          l.kind IN ('reminder', 'starts_soon') AND l.created_at > now() - interval '1 day'
          OR l.kind IN ('invited', 'admitted') AND l.id > n.id
        )
      )
    ORDER BY n.created_at LIMIT ${limit}`.execute(db);
  return rows;
}

/** Days before the date. A reminder that was missed then is sent later, but not on the date itself. */
const DAYS_BEFORE = 2;

/**
 * Returns parties who are asked to answer today or within two days, and got neither this reminder yet nor any
 * message about the document within a day. `once` includes the date, so that a new date has its own
 * reminders. With gentle reminders, only the date itself counts.
 * @param today `YYYY-MM-DD` in India
 */
export async function askedToAnswer(db: Db, today: string, limit: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    SELECT p.document_id, p.user_id, d.primary_user, p.answer_by, m.once
    FROM parties p
    JOIN documents d ON d.id = p.document_id AND d.status IN ('pending', 'pending_approval')
      AND (d.reminders = 'usual' OR d.reminders = 'gentle' AND p.answer_by = ${today})
    CROSS JOIN LATERAL (
      SELECT concat_ws(':', 'answer-by', p.document_id, p.user_id, p.answer_by,
        CASE WHEN p.answer_by = ${today} THEN 'day' ELSE 'before' END) AS once
    ) m
    WHERE p.answer_by BETWEEN ${today} AND to_char(${today}::date + ${DAYS_BEFORE}::int, 'YYYY-MM-DD')
      AND p.state IN ('invited', 'admitted') AND NOT p.approved
      AND NOT EXISTS (SELECT FROM text_messages o WHERE o.once = m.once)
      AND NOT EXISTS (
        SELECT FROM text_messages l
        WHERE l.document_id = p.document_id AND l.user_id = p.user_id
          AND l.kind IN ('invited', 'admitted', 'reminder', 'starts_soon')
          AND l.created_at > now() - interval '1 day'
      )
    ORDER BY p.answer_by, p.document_id, p.user_id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Queues the SMS of one reminder. Returns false if another process was first. */
export async function queueOnce(tx: Tx<Database>, waiting: Waiting): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('text_messages')
    .values({
      id: uuidv7(),
      document_id: waiting.document_id,
      user_id: waiting.user_id,
      sender_id: waiting.primary_user,
      kind: 'reminder',
      once: waiting.once,
      language: null,
      reason: null,
    })
    .onConflict((conflict) => conflict.column('once').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
