/** Text messages to send: rows with a lease, written in the transaction of what they tell. */
import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import { uuidv7, type Tx } from '@karaar/platform/db-kit';
import { claimDue, inMs } from '@karaar/platform/worker';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, NoticeKind, NoticesTable } from '../../db/schema.ts';
import type { PartyState } from '../agreements/agreement.ts';

export type NoticeRow = Selectable<NoticesTable>;

export type NewNotice = {
  documentId: string;
  userId: string;
  senderId: string;
  kind: NoticeKind;
  language: NoticeLanguage | null;
};

/** Queues a message; with a reason it is only put on record as one that was not sent. */
export async function insertNotice(tx: Tx<Database>, notice: NewNotice, skipped?: string): Promise<void> {
  await tx
    .insertInto('notices')
    .values({
      id: uuidv7(),
      document_id: notice.documentId,
      user_id: notice.userId,
      sender_id: notice.senderId,
      kind: notice.kind,
      once: null,
      language: notice.language,
      ...(skipped ? { state: 'skipped' as const, reason: skipped, ended_at: new Date() } : { reason: null }),
    })
    .execute();
}

/** When this party was last written to in this way; undefined when never. */
export async function lastNotice(
  db: Db,
  documentId: string,
  userId: string,
  kind: NoticeKind,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('notices')
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

/** How many messages a user has caused since a moment. */
export async function countSentBy(db: Db, senderId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('notices')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('sender_id', '=', senderId)
    .where('created_at', '>=', since)
    .where('state', '<>', 'skipped')
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Queues what is due by itself: `days` before a document starts, to everybody whose approval is awaited and who
 * got no message about it within a day. Each at most once, however often this runs.
 */
export async function queueStartReminders(db: Db, today: string, days: number): Promise<number> {
  const result = await sql`
    INSERT INTO notices (id, document_id, user_id, sender_id, kind, once, language)
    SELECT gen_random_uuid(), d.id, p.user_id, d.primary_user, 'starts_soon',
      concat_ws(':', 'starts', d.id, p.user_id, d.start_date, ${days}::int), p.notice_language
    FROM documents d JOIN parties p ON p.document_id = d.id
    WHERE d.status IN ('pending', 'pending_approval')
      AND d.start_date = to_char(${today}::date + ${days}::int, 'YYYY-MM-DD')
      AND p.state IN ('primary', 'invited', 'admitted') AND NOT p.approved
      AND NOT EXISTS (
        SELECT FROM notices n
        WHERE n.document_id = d.id AND n.user_id = p.user_id AND n.state <> 'skipped'
          AND n.created_at > now() - interval '20 hours'
      )
    ON CONFLICT (once) DO NOTHING`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Takes messages that are due, also those whose sender died; `taken` ones may have gone out already. */
export const claimNotices = (
  db: Db,
  count: number,
  leaseMs: number,
): Promise<(NoticeRow & { taken: boolean })[]> =>
  claimDue<NoticeRow & { taken: boolean }>(db, {
    table: 'notices',
    key: 'id',
    due: sql`state = 'queued' AND due_at <= now() OR state = 'sending' AND lease_until < now()`,
    order: sql`due_at`,
    limit: count,
    take: sql`state = 'sending', attempts = attempts + 1, lease_until = ${inMs(leaseMs)}`,
    before: { name: 'taken', value: sql`state = 'sending'` },
  });

/** Ends an attempt; without effect when another worker has taken the message since. */
export async function endNotice(
  db: Db,
  notice: NoticeRow,
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
    .updateTable('notices')
    .set(set)
    .where('id', '=', notice.id)
    .where('state', '=', 'sending')
    .where('attempts', '=', notice.attempts)
    .execute();
}

export type NoticeFacts = {
  name: string;
  start_date: string | null;
  status: string;
  state: PartyState;
  approved: boolean;
  notice_language: NoticeLanguage | null;
};

/** What a message says and whether it still has to be sent; undefined for who is no party any more. */
export async function factsOf(db: Db, notice: NoticeRow): Promise<NoticeFacts | undefined> {
  return db
    .selectFrom('documents')
    .innerJoin('parties', 'parties.document_id', 'documents.id')
    .select(['name', 'start_date', 'status', 'state', 'approved', 'notice_language'])
    .where('documents.id', '=', notice.document_id)
    .where('parties.user_id', '=', notice.user_id)
    .executeTakeFirst();
}

/** Whether a user wants text messages about documents; yes until switched off. */
export async function wantsNotices(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('notice_settings')
    .select('sms_notices')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.sms_notices ?? true;
}

export async function setWantsNotices(db: Db, userId: string, smsNotices: boolean): Promise<void> {
  await db
    .insertInto('notice_settings')
    .values({ user_id: userId, sms_notices: smsNotices })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sms_notices: smsNotices }))
    .execute();
}
