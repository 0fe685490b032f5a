/**
 * Requests for e-mails to addresses without a known account: the caller supplies no text, and the only link
 * opens our site. Sent over the broker, which does not store requests.
 */
import { Type } from 'typebox';
import { defineRpc, IsoDate, nullable } from '../kit.ts';
import { INVITATION_TOKEN, LANGUAGES, STOP_TOKEN } from '../limits.ts';

const to = Type.String({ format: 'email', maxLength: 254 });
/** The id of the e-mail: a repeated send has the same Message-ID. */
const message_id = Type.String({ format: 'uuid' });
const language = Type.Enum([...LANGUAGES]);
/** As in `MailOutcome` of the service; `none` if no mail server is configured. */
const response = Type.Object({
  outcome: Type.Enum(['sent', 'refused', 'later', 'away', 'unknown', 'none']),
});

export const notificationsRpc = {
  mailCode: defineRpc({
    subject: 'rpc.notifications.mail-code.v1',
    request: Type.Object({
      message_id,
      to,
      language,
      code: Type.String({ pattern: '^[2-9A-HJ-NP-Z]{6}$' }),
      /** True for the address of an account, false for that of an invitation. */
      account: Type.Optional(Type.Boolean()),
    }),
    response,
    timeoutMs: 20_000,
    callers: ['auth'],
  }),
  /** Sends an invitation to an address; the token becomes part of our own link. */
  mailInvitation: defineRpc({
    subject: 'rpc.notifications.mail-invitation.v1',
    request: Type.Object({
      message_id,
      to,
      language,
      /** The 8-character ID of the inviting user. */
      sender: Type.String({ pattern: '^[0-9A-Z]{8}$' }),
      token: Type.String({ pattern: INVITATION_TOKEN }),
      answer_by: Type.Optional(nullable(IsoDate)),
      /** Stops further invitations to this address; made by documents. */
      stop_token: Type.Optional(Type.String({ pattern: STOP_TOKEN })),
    }),
    response,
    timeoutMs: 20_000,
    callers: ['documents'],
  }),
} as const;
