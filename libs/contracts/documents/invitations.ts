/**
 * Invitations by phone number or e-mail address (docs/adr/0078): open until the person with that contact has
 * verified it and joined the document. No response reveals whether the contact has an account.
 */
import { Type } from 'typebox';
import { defineRoute, IdParams, IsoDate, MessageBody, nullable } from '../kit.ts';
import { INVITATION_TOKEN } from '../limits.ts';
import { ContactChannel, OpenInvitation } from './open-invitation.ts';
import { NoticeLanguage } from './shapes.ts';

export * from './open-invitation.ts';

const Token = Type.String({ pattern: INVITATION_TOKEN });
const InvitationParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  invitationId: Type.String({ format: 'uuid' }),
});
/** The invitations that a contact has stopped: none, those of one sender, or all. */
export const INVITATION_STOPS = ['nobody', 'sender', 'everyone'] as const;
export type InvitationStop = (typeof INVITATION_STOPS)[number];

const Stop = Type.Enum([...INVITATION_STOPS]);
/** Made by the service for a contact and a sender (`stop-token.ts`). */
const StopToken = Type.String({ minLength: 1, maxLength: 200 });
const StopState = Type.Object({
  channel: ContactChannel,
  /** The 8-character ID of the user whose message contained the token; empty for a deleted account. */
  inviter_char_id: Type.String(),
  stop: Stop,
});
const Link = Type.String({ description: 'Works for the invited number or address only; shown once' });

export const invitationsRoutes = {
  inviteContact: defineRoute({
    method: 'POST',
    path: '/documents/:id/invitations',
    access: 'user',
    summary:
      'Invite whoever has a phone number or an e-mail address; the answer is the same with and without an account',
    params: IdParams,
    body: Type.Object({
      /** 10 digits with or without +91, or an e-mail address. */
      contact: Type.String({ minLength: 3, maxLength: 254 }),
      /** false: no message is sent; the creator shares the link. */
      send: Type.Optional(Type.Boolean()),
      language: Type.Optional(NoticeLanguage),
      /** The day by which the person is asked to answer: from today to one year ahead, in India. */
      answer_by: Type.Optional(IsoDate),
      /** An open invitation that ends; the new one takes over its language and date. */
      in_place_of: Type.Optional(Type.String({ format: 'uuid' })),
    }),
    response: { 201: Type.Object({ invitation: OpenInvitation, link: Link }) },
  }),
  resendInvitation: defineRoute({
    method: 'POST',
    path: '/documents/:id/invitations/:invitationId/send',
    access: 'user',
    summary: 'Send an open invitation again, at most once a day; an expired one is open for two more weeks',
    params: InvitationParams,
    response: { 200: Type.Object({ invitation: OpenInvitation }) },
  }),
  linkInvitation: defineRoute({
    method: 'POST',
    path: '/documents/:id/invitations/:invitationId/link',
    access: 'user',
    summary: 'A further link of an open invitation, to be passed on by its creator',
    params: InvitationParams,
    response: { 200: Type.Object({ link: Link }) },
  }),
  askInvitedToAnswerBy: defineRoute({
    method: 'PUT',
    path: '/documents/:id/invitations/:invitationId/answer-by',
    access: 'user',
    summary: 'Set, change or take away the day by which the person of an open invitation is asked to answer',
    params: InvitationParams,
    body: Type.Object({ answer_by: nullable(IsoDate) }),
    response: { 200: Type.Object({ invitation: OpenInvitation }) },
  }),
  withdrawInvitation: defineRoute({
    method: 'DELETE',
    path: '/documents/:id/invitations/:invitationId',
    access: 'user',
    summary: 'Withdraw an open invitation: its links end and its contact is erased',
    params: InvitationParams,
    response: { 200: MessageBody },
  }),
  keepInvited: defineRoute({
    method: 'DELETE',
    path: '/documents/:id/invitations/:invitationId/handed-on',
    access: 'user',
    summary: 'Keep an invitation whose person says that someone else signs',
    params: InvitationParams,
    response: { 200: MessageBody },
  }),
  handOn: defineRoute({
    method: 'POST',
    path: '/documents/invitations/hand-on',
    access: 'public',
    summary:
      'The invited person, whose number or address is proved, says that someone else signs; the sender decides',
    body: Type.Object({
      token: Token,
      proof: Type.String({ minLength: 1, maxLength: 64 }),
      name: Type.Optional(Type.String({ maxLength: 80 })),
      /** The number or the address of the right person. */
      contact: Type.Optional(Type.String({ maxLength: 254 })),
    }),
    response: { 200: MessageBody },
  }),
  lookUpInvitation: defineRoute({
    method: 'POST',
    path: '/documents/invitations/look-up',
    access: 'public',
    summary:
      'What the link of an invitation says before anything is proved: who invites, and which number or address, masked',
    body: Type.Object({ token: Token }),
    response: {
      200: Type.Object({
        channel: ContactChannel,
        hint: Type.String(),
        inviter_name: Type.String(),
        inviter_char_id: Type.String(),
        /** Only for links in our own messages: opens the page that stops further ones. */
        stop_token: Type.Optional(StopToken),
      }),
    },
  }),
  lookUpStop: defineRoute({
    method: 'POST',
    path: '/documents/invitations/stop/look-up',
    access: 'public',
    summary: 'Whether the contact of a token gets invitations; 400 for a token that we did not make',
    body: Type.Object({ token: StopToken }),
    response: { 200: StopState },
  }),
  stopInvitations: defineRoute({
    method: 'POST',
    path: '/documents/invitations/stop',
    access: 'public',
    summary:
      'Stop invitations of one sender or of all of them to the contact of a token, or allow them again',
    body: Type.Object({ token: StopToken, stop: Stop }),
    response: { 200: StopState },
  }),
  unsubscribeInvited: defineRoute({
    method: 'POST',
    path: '/documents/invitations/unsubscribe',
    access: 'public',
    summary: 'Stop all invitations to an address by the token in each of them (RFC 8058)',
    query: Type.Object({ token: StopToken }),
    body: Type.Object({ 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100 })) }),
    response: { 200: MessageBody },
  }),
  acceptInvitation: defineRoute({
    method: 'POST',
    path: '/documents/invitations/accept',
    access: 'user',
    summary: 'Join the document of an invitation as the person with its number or address',
    body: Type.Object({
      token: Token,
      /** The proof of the address; an account with the invited phone number needs no proof. */
      proof: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
    }),
    response: { 200: Type.Object({ document_id: Type.String() }) },
  }),
} as const;
