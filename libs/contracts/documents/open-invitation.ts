/** An invitation that waits for the person who has a number or an address, as the parties of its document see it. */
import { Type, type Static } from 'typebox';
import { IsoDate, IsoDateTime } from '../kit.ts';
import { CONTACT_CHANNELS } from '../limits.ts';

export const ContactChannel = Type.Enum([...CONTACT_CHANNELS]);
export type ContactChannel = Static<typeof ContactChannel>;

/** What became of its message. `unconfirmed`: the provider did not answer, so it may have arrived. `none`: the creator passes the link on. */
export const InvitationSending = Type.Enum(['none', 'queued', 'sent', 'unconfirmed', 'failed', 'skipped']);
export type InvitationSending = Static<typeof InvitationSending>;

export const OpenInvitation = Type.Object({
  _id: Type.String(),
  channel: ContactChannel,
  /** The contact, masked; to the creator only. Empty once it is erased. */
  hint: Type.Optional(Type.String()),
  expired: Type.Boolean(),
  expires_at: IsoDateTime,
  sending: InvitationSending,
  /** To the creator only: when it can be sent again. */
  sendable_at: Type.Optional(IsoDateTime),
  /** To the creator only: the day by which the invited person is asked to answer. */
  answer_by: Type.Optional(IsoDate),
});
export type OpenInvitation = Static<typeof OpenInvitation>;
