/** The conditions of a payment, and the payment status of a document (spec §4, §5); pure. */
import type { Document } from '@karaar/contracts/documents/http';
import type { Calculation, Payment } from '@karaar/contracts/payments/http';
import { TOP_UP_MIN_RUPEES } from '@karaar/contracts/limits';
import { shortMoney } from '@karaar/ui/format';
import type { KeyOf, Message } from '@karaar/i18n';
import type en from '../../shared/catalogs/payment/texts/en.json';
import { hasPaid } from '../../shared/paid.ts';

export type PaymentState = 'completed' | 'partial' | 'pending';

/** The tone of each payment state. */
export const stateTones = {
  completed: 'verified',
  partial: 'waiting',
  pending: 'waiting',
} as const satisfies Record<PaymentState, string>;

/** Returns the rupees of completed payments, summed in paise to avoid rounding errors. */
export function paidRupees(payments: readonly Pick<Payment, 'status' | 'amount'>[]): number {
  const paise = payments
    .filter((payment) => payment.status === 'completed')
    .reduce((sum, payment) => sum + Math.round(payment.amount * 100), 0);
  return paise / 100;
}

/** Returns completed if the completed payments reach the total and are above 0; partial if a part is paid. */
export function paymentState(
  payments: readonly Pick<Payment, 'status' | 'amount'>[],
  total: number,
): PaymentState {
  const paid = paidRupees(payments);
  if (paid <= 0) return 'pending';
  return paid >= total ? 'completed' : 'partial';
}

/** Returns this user's share, or the whole amount without a distribution. */
export function amountOf(
  calculation: Pick<Calculation, 'payment_distributions' | 'total_amount'>,
  userId: string,
): number {
  const shares = calculation.payment_distributions;
  if (shares.length === 0) return calculation.total_amount;
  return shares.find((share) => share.user_id === userId)?.amount ?? 0;
}

/** Returns true if this user has a share to pay; without a distribution the creator pays. */
export function isPayer(
  { primary_user }: Pick<Document, 'primary_user'>,
  calculation: Pick<Calculation, 'payment_distributions' | 'total_amount'>,
  userId: string,
): boolean {
  if (calculation.payment_distributions.length === 0) return primary_user === userId;
  return amountOf(calculation, userId) > 0;
}

type Charge = {
  calculation: Pick<Calculation, 'payment_distributions' | 'total_amount'>;
  payments: readonly Pick<Payment, 'status' | 'user_id'>[];
};

/** Returns the rupees that this user owes and can pay now. */
export function dueNow(
  document: Pick<Document, 'primary_user' | 'status'>,
  { calculation, payments }: Charge,
  userId: string,
): number {
  const payable = document.status === 'approved' || document.status === 'finalized';
  if (!payable || hasPaid(payments, userId)) return 0;
  return isPayer(document, calculation, userId) ? amountOf(calculation, userId) : 0;
}

type Payer = {
  document: Pick<Document, 'primary_user' | 'parties'>;
  userId: string;
  /** The users with a share; empty without a distribution. */
  shareHolders: readonly string[];
  amount: number;
};

/** Returns why this user cannot pay now, as a text, or null. The server checks everything again. */
export function payFault({
  document,
  userId,
  shareHolders,
  amount,
}: Payer): Message<KeyOf<typeof en>> | null {
  if (document.primary_user !== userId && !shareHolders.includes(userId)) return { key: 'primaryOnly' };
  if (amount <= 0) return { key: 'noAmount' };
  const involved = document.parties.filter((party) => party.state !== 'requested');
  if (involved.some((party) => !party.approved)) return { key: 'notVerified' };
  return null;
}

export type Shortfall = {
  /** The smallest sufficient top-up: at least ₹1. */
  rupees: number;
  message: Message<KeyOf<typeof en>>;
};

/** Returns the amount that the wallet lacks, or null. The server computes it again. */
export function shortfall(amount: number, balance: number): Shortfall | null {
  if (balance >= amount) return null;
  const lacking = (Math.round(amount * 100) - Math.round(balance * 100)) / 100;
  return {
    rupees: Math.max(lacking, TOP_UP_MIN_RUPEES),
    message: {
      key: 'insufficient',
      values: { required: shortMoney(amount), available: shortMoney(balance) },
    },
  };
}

/** Returns a party's share of a charge in percent; null without a distribution. */
export const percentOf = (
  { payment_distributions: shares }: Pick<Calculation, 'payment_distributions'>,
  userId: string,
): number | null => shares.find((share) => share.user_id === userId)?.percentage ?? null;

/**
 * Returns true if a payment failed because no distribution was set up: the client then sets one up and
 * retries.
 */
export function saysNotSetUp(code: string | undefined, text: string): boolean {
  return code === 'distribution_not_setup' || /distribution\s+not\s+set\s?up/i.test(text);
}
