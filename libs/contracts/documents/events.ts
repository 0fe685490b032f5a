/** Events that the documents service publishes; aggregateId is the document id unless said otherwise. */
import { Type } from 'typebox';
import { defineEvent, nullable } from '../kit.ts';
import { DocumentStatus, FinalizationProgress } from './shapes.ts';

const Changed = Type.Object({
  document_id: Type.String(),
  status: DocumentStatus,
  primary_user: Type.String(),
  involved_users: Type.Array(Type.String()),
  /**
   * The involved users who created the document, were admitted or accepted: these users share it. In old
   * events without this field no user shares it.
   */
  acquainted_users: Type.Optional(Type.Array(Type.String())),
  /**
   * All users whose view changes: the involved users and the requested joiners before and after, so also a
   * user who was just removed.
   */
  affected_users: Type.Optional(Type.Array(Type.String())),
  /** The kind of the history entry of this change: `party.accepted`, `document.approved`, … */
  change: Type.Optional(Type.String()),
  /** The actor; null for actions of the service itself. Absent in old events. */
  actor_id: Type.Optional(nullable(Type.String())),
  /** The affected user, if not the actor. */
  subject_id: Type.Optional(nullable(Type.String())),
  /** The involved users who have not approved. */
  awaited_users: Type.Optional(Type.Array(Type.String())),
  /** Parties whose approvals ended because the parties of the agreement changed; absent if none did. */
  ended_approvals: Type.Optional(Type.Array(Type.String())),
});

/**
 * The progress of a finalization; `aggregateVersion` is the number of the progress, not the document's
 * version.
 */
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

/** A user has tried to exceed the daily limit of invitations. The aggregate is this incident, version 1. */
const InvitationsFlooded = Type.Object({
  user_id: Type.String(),
  /** Number within 24 hours. */
  invitations: Type.Integer(),
});

/**
 * The aggregate is the document, version 1: the event is published once. Parties, dates and status do not
 * change.
 */
const Expiring = Type.Object({
  document_id: Type.String(),
  primary_user: Type.String(),
  involved_users: Type.Array(Type.String()),
});

/** The aggregate is a user's passkey for signing; version 1 when it is added, 2 when it is removed. */
const PasskeyChanged = Type.Object({
  user_id: Type.String(),
  action: Type.Enum(['added', 'removed']),
});

export const documentsEvents = {
  created: defineEvent({ type: 'documents.document.created', version: 1, data: Changed }),
  changed: defineEvent({ type: 'documents.document.changed', version: 1, data: Changed }),
  /**
   * A share was paid or refunded, which is a history entry and so a new version of the document; parties and
   * status are as before.
   */
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
  /** A sealed agreement ends in 30 days. */
  expiring: defineEvent({ type: 'documents.expiry.announced', version: 1, data: Expiring }),
  passkeyChanged: defineEvent({ type: 'documents.passkey.changed', version: 1, data: PasskeyChanged }),
  pricingChanged: defineEvent({ type: 'documents.pricing.changed', version: 2, data: PricingChanged }),
} as const;
