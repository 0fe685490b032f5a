/** Tables of invitations to a phone number or an e-mail address. */
import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import type { Generated } from 'kysely';
import type { CreatedAt, NullableTimestamp, Timestamp } from './columns.ts';

/** An invitation to a phone number or an e-mail address; the contact is erased when it ends. */
export type OpenInvitationsTable = {
  id: string;
  document_id: string;
  user_id: string;
  channel: 'phone' | 'email';
  contact: string | null;
  language: NoticeLanguage | null;
  /** The day by which the invited person is asked to answer; a party gets it from here on joining. */
  answer_by: Generated<string | null>;
  state: Generated<'open' | 'accepted' | 'withdrawn'>;
  expires_at: Timestamp;
  created_at: CreatedAt;
  accepted_by: Generated<string | null>;
  ended_at: NullableTimestamp;
  sending: 'none' | 'queued' | 'sending' | 'sent' | 'unconfirmed' | 'failed' | 'skipped';
  /** The Message-ID: a mailbox shows an e-mail that is sent twice only once. */
  message_id: string;
  /** When the creator last wanted it sent. */
  asked_at: Generated<Date>;
  attempts: Generated<number>;
  due_at: Generated<Date>;
  lease_until: Generated<Date | null>;
};

/** Links of open invitations, by the hash of their token. */
export type InvitationLinksTable = {
  token_hash: string;
  invitation_id: string;
  /** Whether the link went to the contact in a message of ours; the creator has the other ones. */
  sent: Generated<boolean>;
  created_at: CreatedAt;
};

/** Contacts that want no invitations, by a keyed hash: of one user, or of all of them where `user_id` is null. */
export type ContactStopsTable = { contact_hash: string; user_id: string | null; created_at: CreatedAt };
