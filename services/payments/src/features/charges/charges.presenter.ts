import { toRupees } from '@karaar/contracts/charge';
import type { Calculation, DueShare, Payment } from '@karaar/contracts/payments/http';
import type { Distribution, DueRow, PaymentRow } from './charges.repository.ts';
import { progressOf } from './progress.ts';

type Charge = {
  document: { primary_user: string; daily_rate_paise: number };
  days: number;
  totalPaise: number;
  distribution: Distribution | undefined;
  live: PaymentRow[];
};

export const presentPayment = (payment: PaymentRow): Payment => ({
  _id: payment.id,
  document_id: payment.document_id,
  document_name: payment.document_name,
  user_id: payment.user_id,
  amount: toRupees(payment.amount_paise),
  status: payment.status,
  payment_method: 'wallet',
  created_at: payment.created_at.toISOString(),
});

export const presentDue = ({ document_id, document_name, amount_paise }: DueRow): DueShare => ({
  document_id,
  document_name,
  amount: toRupees(amount_paise),
});

export function presentCalculation({ document, days, totalPaise, distribution, live }: Charge): Calculation {
  const { completed } = progressOf(document.primary_user, distribution?.shares, live);
  return {
    total_amount: toRupees(totalPaise),
    duration_days: days,
    daily_rate: toRupees(document.daily_rate_paise),
    payment_status: completed ? 'completed' : distribution ? 'distributed' : 'not_setup',
    payment_distributions: (distribution?.shares ?? []).map((share) => ({
      user_id: share.userId,
      percentage: share.percentage,
      amount: toRupees(share.amountPaise),
      ...(share.beforePaise === null ? {} : { amount_before: toRupees(share.beforePaise) }),
    })),
  };
}
