/** Returns a document's payment to its payer's wallet: up to a limit by one admin, above it by two. */
import { Type, type Static } from 'typebox';
import { ActReason, NextCursor, pageOf } from '../admin.ts';
import { defineRoute, IdParams, IsoDateTime, nullable, Rupees, SUPER_ADMINS } from '../kit.ts';

export const REVERSAL_STATES = ['requested', 'decided', 'done', 'declined'] as const;
/**
 * `requested` waits for a second admin; `decided` means that the transfer is in progress, `done` that it is
 * complete.
 */
export const ReversalState = Type.Enum([...REVERSAL_STATES]);
export type ReversalState = Static<typeof ReversalState>;

export const Reversal = Type.Object({
  reversal_id: Type.String(),
  payment_id: Type.String(),
  document_id: Type.String(),
  document_name: Type.String(),
  user_id: Type.String(),
  user_name: Type.String(),
  char_id: Type.String(),
  amount: Rupees,
  reason: Type.String(),
  state: ReversalState,
  /** True if a second admin has to confirm it, or had to. */
  two_people: Type.Boolean(),
  /** True if the caller has requested it, and so cannot confirm it. */
  mine: Type.Boolean(),
  requested_by: Type.String({ description: "The admin's name" }),
  requested_at: IsoDateTime,
  confirmed_by: nullable(Type.String()),
  declined_by: nullable(Type.String()),
  decline_reason: nullable(Type.String()),
  decided_at: nullable(IsoDateTime),
  done_at: nullable(IsoDateTime),
});
export type Reversal = Static<typeof Reversal>;

const Reason = Type.Object({ reason: ActReason });

export const reversalsRoutes = {
  reversePayment: defineRoute({
    method: 'POST',
    path: '/admin/payments/:id/reversals',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary:
      "Give a completed payment back to its payer's wallet; beyond the limit it waits for a second admin",
    params: IdParams,
    body: Reason,
    response: { 201: Reversal },
    timeoutMs: 10_000,
  }),
  confirmReversal: defineRoute({
    method: 'POST',
    path: '/admin/payments/reversals/:id/confirm',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Confirm a reversal that another admin has asked for',
    params: IdParams,
    response: { 200: Reversal },
    timeoutMs: 10_000,
  }),
  declineReversal: defineRoute({
    method: 'POST',
    path: '/admin/payments/reversals/:id/decline',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Decline a reversal that waits for a second admin; no money moves',
    params: IdParams,
    body: Reason,
    response: { 200: Reversal },
  }),
  listReversals: defineRoute({
    method: 'GET',
    path: '/admin/payments/reversals',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Reversals, newest first',
    query: Type.Object({ state: Type.Optional(ReversalState), ...pageOf }),
    response: { 200: Type.Object({ items: Type.Array(Reversal), next_cursor: NextCursor }) },
  }),
} as const;
