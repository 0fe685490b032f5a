/**
 * E-mails to addresses that need not have an account: the caller supplies no text, and the only link leads to our
 * site. Called over the broker, which does not store requests.
 */
import { Type } from 'typebox';
import { defineRpc, IsoDate, nullable } from '../kit.ts';
import { INVITATION_TOKEN, LANGUAGES, STOP_TOKEN } from '../limits.ts';

const to = Type.String({ format: 'email', maxLength: 254 });
/** The id of the e-mail: a second sending has the same Message-ID. */
const message_id = Type.String({ format: 'uuid' });
const language = Type.Enum([...LANGUAGES]);
/** As in `MailOutcome` of the service; `none` where no mail server is configured. */
const response = Type.Object({
  outcome: Type.Enum(['sent', 'refused', 'later', 'away', 'unknown', 'none']),
});

export const notificationsRpc = {
  /** A one-time code that proves an address. */
  mailCode: defineRpc({
    subject: 'rpc.notifications.mail-code.v1',
    request: Type.Object({
      message_id,
      to,
      language,
      code: Type.String({ pattern: '^[2-9A-HJ-NP-Z]{6}$' }),
      /** The address of an account, and not of an invitation. */
      account: Type.Optional(Type.Boolean()),
    }),
    response,
    timeoutMs: 20_000,
    callers: ['auth'],
  }),
  /** An invitation to an address; the token goes into our own link. */
  mailInvitation: defineRpc({
    subject: 'rpc.notifications.mail-invitation.v1',
    request: Type.Object({
      message_id,
      to,
      language,
      /** The 8-character ID of the inviting user. */
      sender: Type.String({ pattern: '^[0-9A-Z]{8}$' }),
      token: Type.String({ pattern: INVITATION_TOKEN }),
      /** The day by which the person is asked to answer. */
      answer_by: Type.Optional(nullable(IsoDate)),
      /** Stops further invitations to this address; made by documents. */
      stop_token: Type.Optional(Type.String({ pattern: STOP_TOKEN })),
    }),
    response,
    timeoutMs: 20_000,
    callers: ['documents'],
  }),
} as const;
