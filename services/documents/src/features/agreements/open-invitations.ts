import type { ContactChannel, OpenInvitation } from '@karaar/contracts/documents/invitations';
import type { SentSms } from '@karaar/contracts/sms';
import type { Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { OpenInvitationsTable } from '../../db/invitation-tables.ts';
import type { Database, Db } from '../../db/schema.ts';
import { REMINDER_PAUSE_MS } from './rules/reminding.ts';

export type Contact = { channel: ContactChannel; contact: string };

export const OPEN_COLUMNS = [
  'id',
  'document_id',
  'channel',
  'contact',
  'expires_at',
  'sending',
  'asked_at',
  'cause',
  'settled_at',
  'answer_by',
  'handed_on',
] as const;

export type OpenInvitationRow = Pick<Selectable<OpenInvitationsTable>, (typeof OPEN_COLUMNS)[number]> & {
  expired: boolean;
};

/** Returns the invitations of these documents that are still open, oldest first. */
export const openInvitationsOf = (db: Db, documentIds: readonly string[]): Promise<OpenInvitationRow[]> =>
  db
    .selectFrom('open_invitations')
    .select(OPEN_COLUMNS)
    .select(sql<boolean>`expires_at <= now()`.as('expired'))
    .where('document_id', 'in', documentIds)
    .where('state', '=', 'open')
    .orderBy('id')
    .execute();

export function presentOpenInvitation(row: OpenInvitationRow, toCreator: boolean): OpenInvitation {
  const { id, channel, contact, expired, expires_at, sending, answer_by, handed_on } = row;
  return {
    _id: id,
    channel,
    expired,
    expires_at: expires_at.toISOString(),
    sending: shownAs(sending),
    ...(toCreator
      ? {
          ...textMessageOf(row),
          hint: contact === null ? '' : maskContact({ channel, contact }),
          sendable_at: sendableAt(row).toISOString(),
          ...(answer_by ? { answer_by } : {}),
          ...(handed_on ? { handed_on } : {}),
        }
      : {}),
  };
}

function shownAs(sending: OpenInvitationRow['sending']): OpenInvitation['sending'] {
  if (sending === 'sending') return 'queued';
  return sending === 'delivered' ? 'sent' : sending;
}

function textMessageOf({ channel, sending, cause, settled_at, asked_at }: OpenInvitationRow) {
  if (channel !== 'phone' || sending === 'none' || sending === 'skipped') return {};
  const state: SentSms['state'] = sending === 'sending' ? 'queued' : sending;
  // Without a cause as well: a contact that stopped invitations must look like one that was not reached.
  const failed = state === 'failed' ? { cause: cause ?? 'undelivered' } : {};
  return { text_message: { state, ...failed, at: (settled_at ?? asked_at).toISOString() } };
}

/** Leaves the field out for an empty list, which most documents have. */
export const presentOpenInvitations = (rows: readonly OpenInvitationRow[], toCreator: boolean) =>
  rows.length > 0 ? { open_invitations: rows.map((row) => presentOpenInvitation(row, toCreator)) } : {};

/** A message can be requested once a day, or at once if none was sent before. */
export function sendableAt({ sending, asked_at }: Pick<OpenInvitationRow, 'sending' | 'asked_at'>): Date {
  const isFree = sending === 'none' || sending === 'failed' || sending === 'skipped';
  return isFree ? asked_at : new Date(asked_at.getTime() + REMINDER_PAUSE_MS);
}

/** Ends the open invitations of a cancelled document, and erases their contacts. */
export async function cancelInvitations(tx: Tx<Database>, documentId: string): Promise<void> {
  await sql`
    UPDATE open_invitations SET state = 'cancelled', contact = NULL, handed_on = NULL, answer_by = NULL, ended_at = now(),
      sending = CASE WHEN sending IN ('queued', 'sending') THEN 'skipped' ELSE sending END
    WHERE document_id = ${documentId} AND state = 'open'`.execute(tx);
}

/** Masks a contact, but its owner recognises it by the last four digits, or the first letter and domain. */
export function maskContact({ channel, contact }: Contact): string {
  if (channel === 'phone') return `+91 ••••••${contact.slice(-4)}`;
  const at = contact.lastIndexOf('@');
  return `${contact.slice(0, 1)}•••${contact.slice(at)}`;
}
