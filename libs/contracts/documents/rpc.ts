/** Requests of other services to the documents service over the broker. */
import { Type } from 'typebox';
import { defineRpc, nullable } from '../kit.ts';
import { CONTACT_CHANNELS } from '../limits.ts';
import { StepUpRequest, StepUpStanding } from '../step-up.ts';

export const documentsRpc = {
  /** What a notification says of a document and no event carries: its name, and the reason that a party wrote. */
  notificationDetails: defineRpc({
    subject: 'rpc.documents.notification-details.v1',
    request: Type.Object({
      document_id: Type.String(),
      /** Whose reason, and for which change. */
      actor_id: nullable(Type.String()),
      change: Type.String(),
      /** Whose answer-by date. */
      subject_id: Type.Optional(nullable(Type.String())),
    }),
    response: Type.Object({
      document: nullable(
        Type.Object({
          name: Type.String(),
          primary_user: Type.String(),
          reason: nullable(Type.String()),
          /** The day by which the subject is asked to answer, while the answer is awaited. */
          answer_by: Type.Optional(nullable(Type.String())),
        }),
      ),
    }),
    timeoutMs: 3_000,
    callers: ['notifications'],
  }),
  /** Whom an open invitation is for; null for any that is not open. The link's token is asked for by its hash. */
  invitationContact: defineRpc({
    subject: 'rpc.documents.invitation-contact.v1',
    request: Type.Object({ token_hash: Type.String() }),
    response: Type.Object({
      invitation: nullable(
        Type.Object({
          id: Type.String(),
          channel: Type.Enum([...CONTACT_CHANNELS]),
          contact: Type.String(),
        }),
      ),
    }),
    timeoutMs: 3_000,
    callers: ['auth'],
  }),
  /** Whether a user has to confirm an act with a passkey, and by which keys grants are signed. */
  stepUp: defineRpc({
    subject: 'rpc.documents.step-up.v1',
    request: StepUpRequest,
    response: StepUpStanding,
    timeoutMs: 3_000,
    callers: ['auth'],
  }),
  /** Who shares which document, page by page, by the rule of `acquainted_users`: what the operator rebuilds the auth service's copy from. */
  people: defineRpc({
    subject: 'rpc.documents.people.v1',
    request: Type.Object({ cursor: nullable(Type.String()) }),
    response: Type.Object({
      documents: Type.Array(
        Type.Object({
          document_id: Type.String(),
          people: Type.Array(Type.String()),
          version: Type.Integer(),
        }),
      ),
      next: nullable(Type.String()),
    }),
    timeoutMs: 5_000,
    callers: ['ops'],
  }),
} as const;
