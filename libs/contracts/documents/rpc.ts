/** RPC requests of other services to the documents service. */
import { Type } from 'typebox';
import { defineRpc, nullable } from '../kit.ts';
import { CONTACT_CHANNELS } from '../limits.ts';
import { StepUpRequest, StepUpStanding } from '../step-up.ts';

/** Base64 in a JSON reply, it stays below the broker's limit of 1 MB. */
export const SEALED_PART_BYTES = 512 * 1024;

export const documentsRpc = {
  /**
   * Returns the parts of a notification that events must not carry: the document's name, and the reason that
   * a party wrote.
   */
  notificationDetails: defineRpc({
    subject: 'rpc.documents.notification-details.v1',
    request: Type.Object({
      document_id: Type.String(),
      /** The author of the reason, and the change it belongs to. */
      actor_id: nullable(Type.String()),
      change: Type.String(),
      /** The user of the answer-by date. */
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
  /**
   * Returns a part of a sealed PDF or its receipt, in base64, from an offset, for a user whom the document
   * involves; with the size and the SHA-256 of the whole file.
   */
  sealedPart: defineRpc({
    subject: 'rpc.documents.sealed-part.v1',
    request: Type.Object({
      document_id: Type.String(),
      user_id: Type.String(),
      file: Type.Enum(['pdf', 'receipt']),
      offset: Type.Integer({ minimum: 0 }),
    }),
    response: Type.Object({
      name: Type.String(),
      size: Type.Integer({ minimum: 1 }),
      sha256: Type.String(),
      bytes: Type.String(),
    }),
    timeoutMs: 5_000,
    callers: ['notifications'],
  }),
  /**
   * Returns the contact of an open invitation; null for any other. The hash of the link's token identifies
   * it.
   */
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
  /** Returns whether a user has to confirm an action with a passkey, and the public keys of grants. */
  stepUp: defineRpc({
    subject: 'rpc.documents.step-up.v1',
    request: StepUpRequest,
    response: StepUpStanding,
    timeoutMs: 3_000,
    callers: ['auth'],
  }),
  /**
   * Returns which users share which document, page by page, by the rule of `acquainted_users`: the operator
   * rebuilds the auth service's copy from it.
   */
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
