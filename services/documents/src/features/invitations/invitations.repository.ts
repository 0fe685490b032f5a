import type { SmsReport } from '@karaar/sms';
import { uuidv7, type Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { HandedOn, OpenInvitationsTable } from '../../db/invitation-tables.ts';
import type { Database, Db } from '../../db/schema.ts';
import { OPEN_COLUMNS, type OpenInvitationRow, type Contact } from '../agreements/open-invitations.ts';

export type InvitationRow = Selectable<OpenInvitationsTable>;

/** Days that a link works, and days that the contact is kept after that, to send the invitation again. */
export const OPEN_DAYS = 14;
export const KEPT_DAYS = 30;
/** Messages per day to one contact, from all senders. */
export const MESSAGES_PER_CONTACT_AND_DAY = 5;

const expiry = sql<Date>`now() + ${OPEN_DAYS} * interval '1 day'`;

export async function insertInvitation(
  tx: Tx<Database>,
  invitation: Contact & {
    id: string;
    documentId: string;
    userId: string;
    language: InvitationRow['language'];
    answerBy: string | null;
    sending: InvitationRow['sending'];
  },
): Promise<void> {
  const { documentId, userId, answerBy, ...rest } = invitation;
  await tx
    .insertInto('open_invitations')
    .values({
      ...rest,
      document_id: documentId,
      user_id: userId,
      answer_by: answerBy,
      message_id: uuidv7(),
      expires_at: expiry,
    })
    .execute();
}

export const lockInvitation = (
  tx: Tx<Database>,
  documentId: string,
  id: string,
): Promise<InvitationRow | undefined> =>
  tx
    .selectFrom('open_invitations')
    .selectAll()
    .where('id', '=', id)
    .where('document_id', '=', documentId)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst();

/** Returns the invitation of a link, in any state. */
export const findByTokenHash = (
  db: Db,
  hash: string,
): Promise<(InvitationRow & { expired: boolean; sent: boolean }) | undefined> =>
  db
    .selectFrom('invitation_links')
    .innerJoin('open_invitations', 'open_invitations.id', 'invitation_links.invitation_id')
    .selectAll('open_invitations')
    .select('invitation_links.sent')
    .select(sql<boolean>`expires_at <= now()`.as('expired'))
    .where('token_hash', '=', hash)
    .executeTakeFirst();

/** Ends an invitation and erases its contact. */
export async function endInvitation(
  tx: Tx<Database>,
  id: string,
  end: { state: 'withdrawn' } | { state: 'accepted'; userId: string },
): Promise<void> {
  await tx
    .updateTable('open_invitations')
    .set({
      state: end.state,
      accepted_by: end.state === 'accepted' ? end.userId : null,
      contact: null,
      handed_on: null,
      sending: sql`CASE WHEN sending IN ('queued', 'sending') THEN 'skipped' ELSE sending END`,
      ended_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
}

/** Queues another message and opens the invitation for two more weeks. */
export async function askAgain(tx: Tx<Database>, id: string, sending: 'queued' | 'skipped'): Promise<void> {
  await tx
    .updateTable('open_invitations')
    .set({
      sending,
      message_id: uuidv7(),
      attempts: 0,
      cause: null,
      settled_at: null,
      asked_at: sql<Date>`now()`,
      due_at: sql<Date>`now()`,
      lease_until: null,
      expires_at: expiry,
    })
    .where('id', '=', id)
    .execute();
}

/** Records the carrier's report about an SMS. No effect after the first one. */
export async function noteInvitationReport(db: Db, messageId: string, report: SmsReport): Promise<void> {
  const set = report === 'delivered' ? { sending: report } : { sending: 'failed' as const, cause: report };
  await db
    .updateTable('open_invitations')
    .set({ ...set, lease_until: null, settled_at: sql<Date>`now()` })
    .where('message_id', '=', messageId)
    .where('sending', 'in', ['sending', 'sent', 'unconfirmed'])
    .execute();
}

/** Stores the words of an invited person about who signs instead; null for an invitation that the creator keeps. */
export async function setHandedOn(tx: Tx<Database>, id: string, words: HandedOn | null): Promise<void> {
  await tx
    .updateTable('open_invitations')
    .set({
      handed_on: words && JSON.stringify(words),
      hand_ons: sql<number>`hand_ons + ${words ? 1 : 0}`,
    })
    .where('id', '=', id)
    .execute();
}

export async function setAnswerBy(tx: Tx<Database>, id: string, day: string | null): Promise<void> {
  await tx.updateTable('open_invitations').set({ answer_by: day }).where('id', '=', id).execute();
}

/** A user who joined by an invitation gets its answer-by date, unless the party already has one. */
export async function takeAnswerBy(tx: Tx<Database>, invitationId: string, userId: string): Promise<void> {
  await sql`
    UPDATE parties p SET answer_by = i.answer_by
    FROM open_invitations i
    WHERE i.id = ${invitationId} AND p.document_id = i.document_id AND p.user_id = ${userId}
      AND p.state IN ('invited', 'admitted') AND NOT p.approved AND p.answer_by IS NULL`.execute(tx);
}

export const readOpen = (db: Db, id: string): Promise<OpenInvitationRow> =>
  db
    .selectFrom('open_invitations')
    .select(OPEN_COLUMNS)
    .select(sql<boolean>`expires_at <= now()`.as('expired'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

export async function isInvited(tx: Tx<Database>, documentId: string, contact: string): Promise<boolean> {
  const row = await tx
    .selectFrom('open_invitations')
    .select('id')
    .where('document_id', '=', documentId)
    .where('contact', '=', contact)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Stores a link by its hash, and deletes the oldest of more than 20 links.
 * @param sent the link goes to the contact in our message, not to the creator
 */
export async function insertLink(db: Db, invitationId: string, hash: string, sent = false): Promise<void> {
  await db
    .insertInto('invitation_links')
    .values({ token_hash: hash, invitation_id: invitationId, sent })
    .execute();
  await sql`
    DELETE FROM invitation_links WHERE token_hash IN (
      SELECT token_hash FROM invitation_links WHERE invitation_id = ${invitationId}
      ORDER BY created_at DESC OFFSET 20
    )`.execute(db);
}

/** Erases the contacts of invitations that expired long ago. Their documents still wait for an answer. */
export async function forgetContacts(db: Db): Promise<void> {
  await sql`
    UPDATE open_invitations SET contact = NULL, handed_on = NULL
    WHERE contact IS NOT NULL AND expires_at < now() - ${KEPT_DAYS} * interval '1 day'`.execute(db);
  await sql`DELETE FROM contact_messages WHERE at < now() - interval '1 day'`.execute(db);
}
