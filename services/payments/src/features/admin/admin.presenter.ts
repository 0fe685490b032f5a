import { toRupees } from '@karaar/contracts/charge';
import type { AdminPayment } from '@karaar/contracts/payments/http';
import { csvTime } from '@karaar/base/csv';
import type { PaymentLine, Totals } from './admin.repository.ts';

const UNKNOWN_USER = 'Unknown User';

export const presentLine = (line: PaymentLine): AdminPayment => ({
  _id: line.id,
  document_id: line.document_id,
  document_name: line.document_name,
  user_id: line.user_id,
  user_name: line.user_name || UNKNOWN_USER,
  char_id: line.char_id ?? '',
  amount: toRupees(line.amount_paise),
  card_fee: toRupees(line.fee_paise),
  status: line.status,
  payment_method: line.method,
  created_at: line.created_at.toISOString(),
  type: line.type,
  order_id: line.order_id,
  payment_id: line.payment_id,
});

type Sums = Totals['sums'];
function sum(sums: Sums, of: (one: Sums[number]) => boolean) {
  const chosen = sums.filter(of);
  return {
    amount: toRupees(chosen.reduce((total, { paise }) => total + paise, 0)),
    count: chosen.reduce((total, { count }) => total + count, 0),
  };
}

export function presentTotals({ sums, byDay }: Totals) {
  const completed = (type: PaymentLine['type']) =>
    sum(sums, (one) => one.type === type && one.status === 'completed');
  return {
    volume: completed('document'),
    top_ups: completed('top_up'),
    refunds: completed('refund'),
    pending: sum(sums, ({ status }) => status === 'pending'),
    failed: sum(sums, ({ status }) => status === 'failed'),
    reversed: sum(sums, ({ status }) => status === 'reversed'),
    by_day: byDay.map(({ day, paise, count }) => ({ day, amount: toRupees(paise), count })),
  };
}

export const PAYMENT_COLUMNS = [
  'Created (India time)',
  'Type',
  'Status',
  'Amount (INR)',
  'Card fee (INR)',
  'Method',
  'User',
  'Char ID',
  'Document',
  'Order ID',
  'Payment ID',
  'ID',
];

export const paymentLine = (line: PaymentLine): string[] => [
  csvTime(line.created_at),
  line.type,
  line.status,
  toRupees(line.amount_paise).toFixed(2),
  toRupees(line.fee_paise).toFixed(2),
  line.method,
  line.user_name || UNKNOWN_USER,
  line.char_id ?? '',
  line.document_name ?? '',
  line.order_id ?? '',
  line.payment_id ?? '',
  line.id,
];
