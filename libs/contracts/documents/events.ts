/** Facts that the documents service publishes; aggregateId is the document id unless said otherwise. */
import { Type } from 'typebox';
import { defineEvent } from '../kit.ts';
import { DocumentStatus, FinalizationProgress } from './shapes.ts';

const Changed = Type.Object({
  document_id: Type.String(),
  status: DocumentStatus,
  primary_user: Type.String(),
  involved_users: Type.Array(Type.String()),
  /**
   * Those of them who created it, were admitted or accepted: these share a document. Facts from before it was told show
   * nobody to anybody.
   */
  acquainted_users: Type.Optional(Type.Array(Type.String())),
  /**
   * Everybody whose screens this changes: the involved users and the requested joiners before and after,
   * so also one who was just removed.
   */
  affected_users: Type.Optional(Type.Array(Type.String())),
  /** The line of the history that tells it: `party.accepted`, `document.approved`, … */
  change: Type.Optional(Type.String()),
});

/** How far a finalization is; `aggregateVersion` is the progress's number, not the document's version. */
const Progressed = Type.Object({
  document_id: Type.String(),
  involved_users: Type.Array(Type.String()),
  progress: FinalizationProgress,
});

/** The aggregate is the pricing itself (id `pricing`), its version the number of changes. */
const PricingChanged = Type.Object({
  daily_rate_paise: Type.Integer(),
  author_id: Type.String(),
});

/** The aggregate is the flood itself, version 1: somebody has invited as many people as one may within a day. */
const InvitationsFlooded = Type.Object({
  user_id: Type.String(),
  /** How many within 24 hours. */
  invitations: Type.Integer(),
});

export const documentsEvents = {
  created: defineEvent({ type: 'documents.document.created', version: 1, data: Changed }),
  changed: defineEvent({ type: 'documents.document.changed', version: 1, data: Changed }),
  /** A share that was paid or given back is in the document's history, whose version it raised; parties and status are as before. */
  paymentRecorded: defineEvent({ type: 'documents.payment.recorded', version: 1, data: Changed }),
  finalized: defineEvent({ type: 'documents.document.finalized', version: 1, data: Changed }),
  finalizationProgressed: defineEvent({
    type: 'documents.finalization.progressed',
    version: 1,
    data: Progressed,
  }),
  invitationsFlooded: defineEvent({
    type: 'documents.invitations.flooded',
    version: 1,
    data: InvitationsFlooded,
  }),
  pricingChanged: defineEvent({ type: 'documents.pricing.changed', version: 2, data: PricingChanged }),
} as const;
