/** Questions that other services ask the documents service. */
import { Type } from 'typebox';
import { defineRpc, nullable } from '../kit.ts';
import { DocumentStatus } from './http.ts';

/** What a charge needs to know of a document. Amounts are integer paise. */
export const Chargeable = Type.Object({
  document_id: Type.String(),
  name: Type.String(),
  status: DocumentStatus,
  primary_user: Type.String(),
  involved_users: Type.Array(Type.String()),
  /** The primary user and every involved user have approved. */
  all_approved: Type.Boolean(),
  /** Fixed on the document when it was created. */
  daily_rate_paise: Type.Integer(),
  start_date: nullable(Type.String()),
  end_date: nullable(Type.String()),
  /** Of the document, which grows with every change: what payments is told stands for this one. */
  version: Type.Integer(),
});

export const documentsRpc = {
  chargeable: defineRpc({
    subject: 'rpc.documents.chargeable.v1',
    request: Type.Object({
      document_id: Type.String(),
      /** A document that has not come this far makes a version more, so that its answer stands for this one. */
      at_least: Type.Optional(Type.Integer()),
    }),
    response: Type.Object({ document: nullable(Chargeable) }),
    timeoutMs: 3_000,
    callers: ['payments'],
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
