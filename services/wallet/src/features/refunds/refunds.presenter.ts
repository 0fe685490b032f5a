import { toRupees } from '@karaar/contracts/charge';
import type { RefundRow } from './refunds.repository.ts';

export const presentRefund = (refund: RefundRow) => ({
  refund_id: refund.id,
  order_id: refund.order_id,
  payment_id: refund.payment_id,
  user_id: refund.user_id,
  amount: toRupees(refund.amount_paise),
  reason: refund.reason,
  status: refund.status,
  created_at: refund.created_at.toISOString(),
});
