import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import type { SmsFailure } from '@karaar/contracts/sms';
import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, NullableTimestamp, Timestamp } from './columns.ts';

/** The words of an invited person about who signs instead. */
export type HandedOn = { at: string; name: string | null; contact: string | null };

/** An invitation to a phone number or an e-mail address; the contact is erased when it ends. */
export type OpenInvitationsTable = {
  id: string;
  document_id: string;
  user_id: string;
  channel: 'phone' | 'email';
  contact: string | null;
  language: NoticeLanguage | null;
  /** The day by which the creator asks for an answer; a party inherits it when joining. */
  answer_by: Generated<string | null>;
  state: Generated<'open' | 'accepted' | 'withdrawn' | 'cancelled'>;
  handed_on: ColumnType<HandedOn | null, string | null | undefined, string | null>;
  hand_ons: Generated<number>;
  expires_at: Timestamp;
  created_at: CreatedAt;
  accepted_by: Generated<string | null>;
  ended_at: NullableTimestamp;
  sending: 'none' | 'queued' | 'sending' | 'sent' | 'unconfirmed' | 'delivered' | 'failed' | 'skipped';
  /** Why the carrier did not deliver the SMS. */
  cause: Generated<SmsFailure | null>;
  /** When the last attempt to send ended, or the carrier's report arrived. */
  settled_at: NullableTimestamp;
  /**
   * The id of the SMS in the carrier's reports, or the Message-ID of the e-mail; mail programs show two e-mails with
   * the same id once.
   */
  message_id: string;
  asked_at: Generated<Date>;
  attempts: Generated<number>;
  due_at: Generated<Date>;
  lease_until: Generated<Date | null>;
};

export type InvitationLinksTable = {
  token_hash: string;
  invitation_id: string;
  /** True if our message carried the link; the creator passes on the other links. */
  sent: Generated<boolean>;
  created_at: CreatedAt;
};

/** Keyed hashes of contacts that stopped the invitations of one user, or of all users (`user_id` is null). */
export type ContactStopsTable = { contact_hash: string; user_id: string | null; created_at: CreatedAt };
