/** Requests of other services to the documents service's internal port. */
import { Type } from 'typebox';
import { defineInternalRpc, nullable } from '../kit.ts';
import { StepUpRequest, StepUpStanding } from '../step-up.ts';
import { DocumentStatus } from './http.ts';

/** The data of a document that its charge depends on. Amounts are integer paise. */
export const Chargeable = Type.Object({
  document_id: Type.String(),
  name: Type.String(),
  status: DocumentStatus,
  primary_user: Type.String(),
  involved_users: Type.Array(Type.String()),
  /** True if the primary user and every involved user have approved. */
  all_approved: Type.Boolean(),
  /** Fixed when the document was created. */
  daily_rate_paise: Type.Integer(),
  start_date: nullable(Type.String()),
  end_date: nullable(Type.String()),
  /** The document's version, incremented by every change; the response is valid for this version. */
  version: Type.Integer(),
});

export const documentsInternalRpc = {
  chargeable: defineInternalRpc({
    path: '/internal/chargeable',
    callee: 'documents',
    request: Type.Object({
      document_id: Type.String(),
      /**
       * If the document's version is lower, the service raises it, so that the response is valid for this
       * version.
       */
      at_least: Type.Optional(Type.Integer()),
    }),
    response: Type.Object({ document: nullable(Chargeable) }),
    timeoutMs: 3_000,
    callers: ['payments'],
  }),
  /** The request `documentsRpc.stepUp` without the broker, like every request of a payment. */
  stepUp: defineInternalRpc({
    path: '/internal/step-up',
    callee: 'documents',
    request: StepUpRequest,
    response: StepUpStanding,
    timeoutMs: 3_000,
    callers: ['payments'],
  }),
} as const;
