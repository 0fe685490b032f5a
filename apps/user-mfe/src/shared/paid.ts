import type { Payment } from '@karaar/contracts/payments/http';

/** Returns true if this user's share is paid. */
export const hasPaid = (payments: readonly Pick<Payment, 'status' | 'user_id'>[], userId: string): boolean =>
  payments.some((payment) => payment.status === 'completed' && payment.user_id === userId);
