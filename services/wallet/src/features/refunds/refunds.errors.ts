import { toRupees } from '@karaar/contracts/charge';
import { conflict, notFound } from '@karaar/base/errors';

const rupees = (paise: number): string => toRupees(paise).toFixed(2);

export const paymentNotFound = () =>
  notFound('payment_not_found', 'No top-up was credited by a payment of this id.');
export const beyondPayment = (leftPaise: number) =>
  conflict(
    'refund_beyond_payment',
    `Only ₹${rupees(leftPaise)} of this payment can still be refunded. Nothing was refunded.`,
  );
export const walletTooSmall = (availablePaise: number) =>
  conflict(
    'refund_beyond_balance',
    `The wallet holds ₹${rupees(availablePaise)}, less than this refund. Nothing was refunded.`,
  );
export const otherRefund = () =>
  conflict('idempotency_mismatch', 'This key belongs to another refund. Nothing was refunded again.');
