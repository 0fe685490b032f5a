import { toRupees } from '@karaar/contracts/charge';
import type { PaymentException, Reconciliation } from '@karaar/contracts/wallet/exceptions';
import type { ObservedRun } from '../reconciliation/reconciliation.repository.ts';
import type { ExceptionRow } from '../exceptions/exceptions.repository.ts';
import { resolutionsOf } from './resolutions.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const presentException = (row: ExceptionRow): PaymentException => ({
  exception_id: row.id,
  kind: row.kind,
  subject: row.subject,
  cause: row.cause,
  payment_id: row.payment_id,
  order_id: row.order_id,
  user_id: row.user_id,
  amount: toRupees(row.amount_paise),
  since: row.since.toISOString(),
  seen_at: row.seen_at.toISOString(),
  state: row.state,
  version: row.version,
  resolutions: row.state === 'resolved' ? [] : resolutionsOf(row),
  resolution: row.resolution,
  reason: row.reason,
  credit_user_id: row.credit_user_id,
  proposed_by: row.proposed_by,
  proposed_at: iso(row.proposed_at),
  confirmed_by: row.confirmed_by,
  resolved_at: iso(row.resolved_at),
  refund_state: row.refund_state,
});

export const presentRun = (run: ObservedRun): Reconciliation => ({
  running: run.isUnderWay,
  next_at: run.next_at.toISOString(),
  last_complete_at: iso(run.last_complete_at),
  last_failed_at: iso(run.last_failed_at),
  payments: run.payments,
  refunds: run.refunds,
  disputes: run.disputes,
  settlements: run.settlements,
});
