/** Queued text messages: rows with a lease, written in the transaction of the change that they announce. */
import { createHash } from 'node:crypto';
import type { NoticeLanguage, PartyState } from '@karaar/contracts/documents/http';
import { uuidv7, type Tx, lockName } from '@karaar/db';
import { claimDue, inMs } from '@karaar/db/claims';
import type { SmsReport } from '@karaar/sms';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, TextMessageKind, TextMessagesTable } from '../../db/schema.ts';

export type TextMessageRow = Selectable<TextMessagesTable>;

export type NewTextMessage = {
  documentId: string;
  userId: string;
  senderId: string;
  kind: TextMessageKind;
  language: NoticeLanguage | null;
};

/** Queues a message. With `skipped`, records it as not sent for that reason. */
export async function insertTextMessage(
  tx: Tx<Database>,
  message: NewTextMessage,
  skipped?: string,
): Promise<void> {
  await tx
    .insertInto('text_messages')
    .values({
      id: uuidv7(),
      document_id: message.documentId,
      user_id: message.userId,
      sender_id: message.senderId,
      kind: message.kind,
      once: null,
      language: message.language,
      ...(skipped ? { state: 'skipped' as const, reason: skipped, ended_at: new Date() } : { reason: null }),
    })
    .execute();
}

/**
 * Returns when this party was last reminded, also if no text was sent (the app shows a notification);
 * undefined if never.
 */
export async function lastReminder(db: Db, documentId: string, userId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('text_messages')
    .select('created_at')
    .where('document_id', '=', documentId)
    .where('user_id', '=', userId)
    .where('kind', '=', 'reminder')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

export type SentTextRow = Pick<TextMessageRow, 'state' | 'reason' | 'delivery'> & { at: Date };

/**
 * Returns the newest message to each party of a document. Skipped ones are left out, because they reveal the
 * party's settings and how many texts others send to this person.
 */
export async function newestTexts(db: Db, documentId: string): Promise<ReadonlyMap<string, SentTextRow>> {
  const rows = await db
    .selectFrom('text_messages')
    .distinctOn('user_id')
    .select(['user_id', 'state', 'reason', 'delivery'])
    .select(sql<Date>`coalesce(reported_at, ended_at, created_at)`.as('at'))
    .where('document_id', '=', documentId)
    .where('state', '<>', 'skipped')
    .orderBy('user_id')
    .orderBy('created_at', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** Returns when this party last got a message of this kind; undefined if never. */
export async function lastTextMessage(
  db: Db,
  documentId: string,
  userId: string,
  kind: TextMessageKind,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('text_messages')
    .select('created_at')
    .where('document_id', '=', documentId)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('state', '<>', 'skipped')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

export async function countSentBy(db: Db, senderId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('text_messages')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('sender_id', '=', senderId)
    .where('created_at', '>=', since)
    .where('state', '<>', 'skipped')
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Queues the reminders `days` before a document starts, for every party who has not approved and got no
 * message about it in the last 20 hours. Each party gets it once, however often this runs.
 *
 * @param when.gently true on the one day on which documents with gentle reminders are included
 */
export async function queueStartReminders(
  db: Db,
  today: string,
  { days, gently }: { days: number; gently: boolean },
): Promise<number> {
  const result = await sql`
    INSERT INTO text_messages (id, document_id, user_id, sender_id, kind, once, language)
    SELECT gen_random_uuid(), d.id, p.user_id, d.primary_user, 'starts_soon',
      concat_ws(':', 'starts', d.id, p.user_id, d.start_date, ${days}::int), p.notice_language
    FROM documents d JOIN parties p ON p.document_id = d.id
    WHERE d.status IN ('pending', 'pending_approval')
      AND (d.reminders = 'usual' OR d.reminders = 'gentle' AND ${gently}::boolean)
      AND d.start_date = to_char(${today}::date + ${days}::int, 'YYYY-MM-DD')
      AND p.state IN ('primary', 'invited', 'admitted') AND NOT p.approved
      AND NOT EXISTS (
        SELECT FROM text_messages n
        WHERE n.document_id = d.id AND n.user_id = p.user_id AND n.state <> 'skipped'
          AND n.created_at > now() - interval '20 hours'
      )
    ON CONFLICT (once) DO NOTHING`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Leases due messages, including those of a crashed worker; `taken` messages may have been sent already. */
export const claimTextMessages = (
  db: Db,
  count: number,
  leaseMs: number,
): Promise<(TextMessageRow & { taken: boolean })[]> =>
  claimDue<TextMessageRow & { taken: boolean }>(db, {
    table: 'text_messages',
    key: 'id',
    due: sql`state = 'queued' AND due_at <= now() OR state = 'sending' AND lease_until < now()`,
    order: sql`due_at`,
    limit: count,
    take: sql`state = 'sending', attempts = attempts + 1, lease_until = ${inMs(leaseMs)}`,
    before: { name: 'taken', value: sql`state = 'sending'` },
  });

/** Ends an attempt; no effect if another worker has claimed the message since. */
export async function endTextMessage(
  db: Db,
  row: TextMessageRow,
  end:
    { state: 'sent' | 'skipped' | 'failed'; reason: string | null } | { retryInMs: number; reason: string },
): Promise<void> {
  const set =
    'retryInMs' in end
      ? {
          state: 'queued' as const,
          reason: end.reason,
          lease_until: null,
          due_at: sql<Date>`now() + ${end.retryInMs} * interval '1 millisecond'`,
        }
      : { state: end.state, reason: end.reason, lease_until: null, ended_at: sql<Date>`now()` };
  await db
    .updateTable('text_messages')
    .set(set)
    .where('id', '=', row.id)
    .where('state', '=', 'sending')
    .where('attempts', '=', row.attempts)
    .execute();
}

export type TextMessageFacts = {
  name: string;
  start_date: string | null;
  status: string;
  state: PartyState;
  approved: boolean;
  notice_language: NoticeLanguage | null;
};

/** Returns the data of a message and its document; undefined if the receiver has left the document. */
export async function factsOf(db: Db, row: TextMessageRow): Promise<TextMessageFacts | undefined> {
  return db
    .selectFrom('documents')
    .innerJoin('parties', 'parties.document_id', 'documents.id')
    .select(['name', 'start_date', 'status', 'state', 'approved', 'notice_language'])
    .where('documents.id', '=', row.document_id)
    .where('parties.user_id', '=', row.user_id)
    .executeTakeFirst();
}

/** Returns true unless the user has switched text messages about documents off. */
export async function wantsTextMessages(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('text_message_settings')
    .select('sms_notices')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.sms_notices ?? true;
}

export async function setWantsTextMessages(db: Db, userId: string, smsNotices: boolean): Promise<void> {
  await db
    .insertInto('text_message_settings')
    .values({ user_id: userId, sms_notices: smsNotices })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sms_notices: smsNotices }))
    .execute();
}

/** Counts a message to a receiver; false if `most` were counted within a day. Locks the receiver. */
export async function noteMessage(tx: Tx<Database>, receiver: string, most: number): Promise<boolean> {
  const hash = createHash('sha256').update(receiver).digest('hex');
  await lockName(tx, `contact ${hash}`);
  await sql`
    DELETE FROM contact_messages WHERE contact_hash = ${hash} AND at < now() - interval '1 day'`.execute(tx);
  const { numAffectedRows } = await sql`
    INSERT INTO contact_messages (contact_hash)
    SELECT ${hash} WHERE (SELECT count(*) FROM contact_messages WHERE contact_hash = ${hash})
      < ${most}::int`.execute(tx);
  return numAffectedRows === 1n;
}

/** Records the carrier's report about a message. No effect after the first one. */
export async function noteDelivery(db: Db, id: string, delivery: SmsReport): Promise<void> {
  await db
    .updateTable('text_messages')
    .set({ delivery, reported_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('delivery', 'is', null)
    .execute();
}
