/**
 * An invitation to a phone number or address that was not accepted yet, as shown to the document's parties.
 */
import { Type, type Static } from 'typebox';
import { IsoDate, IsoDateTime, nullable } from '../kit.ts';
import { CONTACT_CHANNELS } from '../limits.ts';
import { SentSms } from '../sms.ts';

export const ContactChannel = Type.Enum([...CONTACT_CHANNELS]);
export type ContactChannel = Static<typeof ContactChannel>;

/**
 * The delivery state of its message. `unconfirmed`: the provider did not answer, so it may have arrived.
 * `none`: the creator shares the link.
 */
export const InvitationSending = Type.Enum(['none', 'queued', 'sent', 'unconfirmed', 'failed', 'skipped']);
export type InvitationSending = Static<typeof InvitationSending>;

export const OpenInvitation = Type.Object({
  _id: Type.String(),
  channel: ContactChannel,
  /** The masked contact, for the creator only. Empty once it is erased. */
  hint: Type.Optional(Type.String()),
  expired: Type.Boolean(),
  expires_at: IsoDateTime,
  sending: InvitationSending,
  /** For the creator only, of an invitation by SMS: as of a party. */
  text_message: Type.Optional(SentSms),
  /** For the creator only: when it can be sent again. */
  sendable_at: Type.Optional(IsoDateTime),
  /** For the creator only: the day by which the invited person is asked to answer. */
  answer_by: Type.Optional(IsoDate),
  /** For the creator only: the invited person does not sign, and names the right person in these unchecked words. */
  handed_on: Type.Optional(
    Type.Object({ at: IsoDateTime, name: nullable(Type.String()), contact: nullable(Type.String()) }),
  ),
});
export type OpenInvitation = Static<typeof OpenInvitation>;
