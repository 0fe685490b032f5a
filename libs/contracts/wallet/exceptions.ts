/**
 * Differences between the card provider's records and our ledger, and how two admins settle them (ADR 0065).
 */
import { Type, type Static } from 'typebox';
import { ActReason, NextCursor } from '../admin.ts';
import { defineRoute, IsoDateTime, nullable, Rupees, SUPER_ADMINS, Uuid } from '../kit.ts';

export const EXCEPTION_KINDS = [
  /** The provider has captured money that was credited to no wallet. */
  'payment_uncredited',
  /** A wallet was credited with money that the provider has not captured. */
  'payment_missing',
  'refund_unmatched',
  'refund_differs',
  'refund_missing',
  'dispute_unmatched',
  'dispute_differs',
  'dispute_missing',
  /** A refund or dispute took more than the wallet's balance. */
  'wallet_short',
  'settlement_unmatched',
  'settlement_differs',
  'clearing_differs',
] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

export const EXCEPTION_STATES = ['open', 'proposed', 'resolved'] as const;
export type ExceptionState = (typeof EXCEPTION_STATES)[number];

/** The possible decisions of admins; each exception lists those that apply. */
export const RESOLUTIONS = ['credit_user', 'refund_card', 'written_off', 'settled_elsewhere'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const PaymentException = Type.Object({
  exception_id: Type.String(),
  kind: Type.Enum([...EXCEPTION_KINDS]),
  /** The provider's id of the object that differs. */
  subject: Type.String(),
  cause: Type.String(),
  payment_id: nullable(Type.String()),
  order_id: nullable(Type.String()),
  user_id: nullable(Type.String()),
  amount: Rupees,
  since: IsoDateTime,
  seen_at: IsoDateTime,
  state: Type.Enum([...EXCEPTION_STATES]),
  version: Type.Integer(),
  resolutions: Type.Array(Type.Enum([...RESOLUTIONS])),
  /** `settled_itself`: a later comparison found both records equal. */
  resolution: nullable(Type.Enum([...RESOLUTIONS, 'settled_itself'])),
  reason: nullable(Type.String()),
  credit_user_id: nullable(Type.String()),
  proposed_by: nullable(Type.String()),
  proposed_at: nullable(IsoDateTime),
  confirmed_by: nullable(Type.String()),
  resolved_at: nullable(IsoDateTime),
  /** For a payment that is refunded to its card. */
  refund_state: nullable(Type.Enum(['asked', 'done'])),
});
export type PaymentException = Static<typeof PaymentException>;

/** The daily comparison of both records. */
export const Reconciliation = Type.Object({
  running: Type.Boolean({ description: 'True from the moment that a comparison is due until it ends' }),
  next_at: IsoDateTime,
  last_complete_at: nullable(IsoDateTime),
  last_failed_at: nullable(IsoDateTime),
  payments: Type.Integer(),
  refunds: Type.Integer(),
  disputes: Type.Integer(),
  settlements: Type.Integer(),
});
export type Reconciliation = Static<typeof Reconciliation>;

const ExceptionParams = Type.Object({ id: Uuid });

export const exceptionRoutes = {
  listExceptions: defineRoute({
    method: 'GET',
    path: '/admin/wallet/exceptions',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Differences between the card provider’s books and ours, newest first',
    query: Type.Object({
      state: Type.Optional(Type.Enum([...EXCEPTION_STATES])),
      cursor: Type.Optional(Uuid),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    response: { 200: Type.Object({ items: Type.Array(PaymentException), next_cursor: NextCursor }) },
  }),
  proposeResolution: defineRoute({
    method: 'POST',
    path: '/admin/wallet/exceptions/:id/proposal',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Propose how an exception is settled; takes the place of an earlier proposal',
    params: ExceptionParams,
    body: Type.Object({
      version: Type.Integer({ minimum: 1, description: 'Of the exception as it was read' }),
      resolution: Type.Enum([...RESOLUTIONS]),
      reason: ActReason,
      user_id: Type.Optional(Uuid),
    }),
    response: { 200: PaymentException },
  }),
  confirmResolution: defineRoute({
    method: 'POST',
    path: '/admin/wallet/exceptions/:id/confirmation',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Confirm what another admin has proposed, and carry it out',
    params: ExceptionParams,
    body: Type.Object({
      version: Type.Integer({ minimum: 1, description: 'Of the proposal as it was read' }),
    }),
    response: { 200: PaymentException },
    timeoutMs: 20_000,
  }),
  reconciliation: defineRoute({
    method: 'GET',
    path: '/admin/wallet/reconciliation',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'When the books were last compared with the card provider’s',
    response: { 200: Reconciliation },
  }),
  reconcileNow: defineRoute({
    method: 'POST',
    path: '/admin/wallet/reconciliation',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Compare the books now instead of at the next hour that is due',
    response: { 202: Reconciliation },
  }),
} as const;
