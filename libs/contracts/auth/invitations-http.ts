/**
 * Verification of an invitation's number or address (docs/adr/0078). The user types neither: the link's token
 * identifies it.
 */
import { Type } from 'typebox';
import { defineRoute, nullable, Uuid } from '../kit.ts';
import { CONTACT_CHANNELS, INVITATION_TOKEN, LANGUAGES } from '../limits.ts';
import { LoginAnswer } from './login.ts';

const Token = Type.String({ pattern: INVITATION_TOKEN });

export const authInvitationsRoutes = {
  sendInvitationCode: defineRoute({
    method: 'POST',
    path: '/auth/invitations/send-code',
    access: 'public',
    summary: 'Send a one-time code to the number or address of an invitation, by SMS or e-mail',
    body: Type.Object({ token: Token, language: Type.Optional(Type.Enum([...LANGUAGES])) }),
    response: {
      200: Type.Object({
        message: Type.String(),
        resend_after_s: Type.Integer(),
        challenge_id: Type.String({ description: 'For the proof: this send has its own five tries' }),
      }),
    },
  }),
  proveInvitation: defineRoute({
    method: 'POST',
    path: '/auth/invitations/prove',
    access: 'public',
    summary:
      'Prove the number or address of an invitation by its code; an account with the number is signed in',
    body: Type.Object({
      token: Token,
      otp: Type.String({ minLength: 6, maxLength: 6 }),
      /** From the response to the send; without it the latest code of the contact is checked. */
      challenge_id: Type.Optional(Uuid),
    }),
    response: {
      200: Type.Object({
        channel: Type.Enum([...CONTACT_CHANNELS]),
        contact: Type.String(),
        /** The proof, valid for two hours: for registering, and for joining by an e-mail address. */
        proof: Type.String(),
        session: nullable(LoginAnswer),
      }),
    },
  }),
} as const;
