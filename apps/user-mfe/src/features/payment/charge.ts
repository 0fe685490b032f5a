/** What a payment needs before it is offered, and how far a document is paid (spec §4, §5); pure. */
import type { Document } from '@karaar/contracts/documents/http';
import type { Payment } from '@karaar/contracts/payments/http';
import { shortMoney } from '@karaar/ui/format';
import type { KeyOf, Message } from '@karaar/i18n';
import type en from './texts/en.json';

export type PaymentState = 'completed' | 'partial' | 'pending';

/** How a state of the payment is shown. */
export const stateTones = {
  completed: 'verified',
  partial: 'waiting',
  pending: 'waiting',
} as const satisfies Record<PaymentState, string>;

/** Rupees of completed payments, added up in paise so that no rounding creeps in. */
export function paidRupees(payments: readonly Pick<Payment, 'status' | 'amount'>[]): number {
  const paise = payments
    .filter((payment) => payment.status === 'completed')
    .reduce((sum, payment) => sum + Math.round(payment.amount * 100), 0);
  return paise / 100;
}

/** Completed when the completed payments reach the total and are above 0; partial when something is paid. */
export function paymentState(
  payments: readonly Pick<Payment, 'status' | 'amount'>[],
  total: number,
): PaymentState {
  const paid = paidRupees(payments);
  if (paid <= 0) return 'pending';
  return paid >= total ? 'completed' : 'partial';
}

/** Whether this user's own share is paid. */
export const hasPaid = (payments: readonly Pick<Payment, 'status' | 'user_id'>[], userId: string): boolean =>
  payments.some((payment) => payment.status === 'completed' && payment.user_id === userId);

type Payer = {
  document: Pick<Document, 'primary_user' | 'parties'>;
  userId: string;
  /** Whom the shares name; empty when no distribution was set up. */
  shareHolders: readonly string[];
  /** Rupees that this user would pay. */
  amount: number;
  /** Rupees in the wallet; undefined while unknown. */
  balance: number | undefined;
};

/** Why this user cannot pay now, as the text that says so, or null. The server checks all of it again. */
export function payFault({
  document,
  userId,
  shareHolders,
  amount,
  balance,
}: Payer): Message<KeyOf<typeof en>> | null {
  if (document.primary_user !== userId && !shareHolders.includes(userId)) return { key: 'primaryOnly' };
  if (amount <= 0) return { key: 'noAmount' };
  const involved = document.parties.filter((party) => party.state !== 'requested');
  if (involved.some((party) => !party.approved)) return { key: 'notVerified' };
  if (balance !== undefined && balance < amount) {
    return {
      key: 'insufficient',
      values: { required: shortMoney(amount), available: shortMoney(balance) },
    };
  }
  return null;
}

/** Whether a failed payment says that no distribution was set up: the client then sets one up and retries. */
export function saysNotSetUp(code: string | undefined, text: string): boolean {
  return code === 'distribution_not_setup' || /distribution\s+not\s+set\s?up/i.test(text);
}
