/** The users, the card provider and an admin who move money. They repeat each call until it is answered. */
import { randomUUID } from 'node:crypto';
import type { Payment } from '@karaar/testing/providers/razorpay';
import type { WorldUser } from '@karaar/testing/service-world';
import { clientOf, NoAnswer, type Answer, type Call } from '@karaar/e2e/src/person.ts';
import { HURRIED } from '../../lib/people.ts';
import type { MoneyWorld, PartName } from './money-world.ts';

/** The ways in which the wallet learns of a paid order; with `nobody` only the reconciler finds it. */
export const MESSENGERS = ['verify', 'notice', 'receipt', 'failed', 'forged', 'tampered', 'nobody'] as const;
export type Messenger = (typeof MESSENGERS)[number];

/** The outcomes that callers were given. */
export type Reported = {
  /** Payments answered as completed: id → paise. */
  paid: Map<string, number>;
  /** Accepted refunds: id → paise. */
  refunded: Map<string, number>;
  /** Payments refused because of the balance. */
  refused: number;
  /** Remainders that were given up: key → paise. */
  givenUp: Map<string, number>;
};

export type Dealings = {
  reported: Reported;
  /** Opens an order, pays it at the provider and sends all messengers in parallel. */
  topUp: (user: WorldUser, rupees: number, messengers: readonly Messenger[]) => Promise<Payment>;
  /** Sends one more messenger for a payment. */
  tell: (user: WorldUser, payment: Payment, messenger: Messenger) => Promise<void>;
  /** Pays the user's share of a document. An impatient user makes one attempt and ignores a missing answer. */
  pay: (user: WorldUser, documentId: string, patient?: boolean) => Promise<void>;
  shareOut: (parties: readonly WorldUser[], percentages: readonly number[]) => Promise<string>;
  /** Refunds a part of a payment to its card; requested twice with one key. */
  refund: (payment: Payment, rupees: number, patient?: boolean) => Promise<void>;
  /** Gives up a balance that is too small for a refund; requested twice with one key. */
  giveUp: (user: WorldUser, patient?: boolean) => Promise<void>;
};

/** @param url returns the current URL of a service */
export async function dealings(
  { world, razorpay, documents }: MoneyWorld,
  url: (name: PartName) => string,
): Promise<Dealings> {
  const reported: Reported = { paid: new Map(), refunded: new Map(), refused: 0, givenUp: new Map() };
  const admin = { headers: await world.adminHeaders() };
  const as = (user: Pick<WorldUser, 'headers'>, name: PartName, patient = true): Call =>
    clientOf(() => url(name), user.headers, patient ? HURRIED : { ...HURRIED, forMs: 0 });
  const deliver = ({ body, headers }: { body: string; headers: Record<string, string> }, status: number) =>
    clientOf(() => url('wallet'), headers, HURRIED)('POST', '/wallet/razorpay-webhook', body, [status]);

  const tell: Dealings['tell'] = async (user, payment, messenger) => {
    const checkout = razorpay.checkoutOf(payment);
    const captured = razorpay.webhook('payment.captured', payment);
    const wallet = as(user, 'wallet');
    switch (messenger) {
      case 'verify':
        await wallet('POST', '/wallet/verify-razorpay-payment', checkout, [200]);
        break;
      case 'notice':
        for (let i = 0; i < 3; i += 1) await deliver(captured, 200);
        break;
      case 'receipt': {
        const receipt = { amount: payment.amount / 100, payment_receipt: payment.id };
        await wallet('POST', '/wallet/add-funds', receipt, [200, 409]);
        break;
      }
      case 'failed': {
        const earlier = { ...payment, id: `${payment.id}x`, status: 'failed' as const };
        await deliver(razorpay.webhook('payment.failed', earlier), 200);
        break;
      }
      case 'forged': {
        const forged = { ...checkout, razorpay_signature: '00'.repeat(32) };
        await wallet('POST', '/wallet/verify-razorpay-payment', forged, [400]);
        break;
      }
      case 'tampered': {
        const body = captured.body.replace(`"amount": ${payment.amount}`, '"amount": 99999900');
        await deliver({ ...captured, body }, 401);
        break;
      }
      case 'nobody':
    }
  };
  return {
    reported,
    tell,
    topUp: async (user, rupees, messengers) => {
      const asked = { amount: rupees };
      const { body } = await as(user, 'wallet')('POST', '/wallet/create-razorpay-order', asked, [200]);
      const order = body['order'] as { id: string; amount: number };
      // Every second payer pays the provider's fee.
      const fee = razorpay.payments.size % 2 === 0 ? 0 : Math.round(order.amount * 0.0236);
      const payment = razorpay.pay(order.id, { amount: order.amount + fee, fee });
      await Promise.all(messengers.map((messenger) => tell(user, payment, messenger)));
      return payment;
    },
    pay: async (user, documentId, patient = true) => {
      const call = as(user, 'payments', patient);
      // 409: an earlier attempt was refused for its balance; the next one is a new payment.
      const paid = call('POST', `/payments/document/${documentId}/pay`, {}, [200, 402, 409]);
      const answer = await unlessSilent(paid);
      if (!answer) return;
      if (answer.status === 200) {
        if (answer.body['status'] !== 'completed')
          throw new Error(`A payment is ${String(answer.body['status'])}`);
        reported.paid.set(String(answer.body['_id']), Math.round(Number(answer.body['amount']) * 100));
      } else reported.refused += 1;
    },
    giveUp: async (user, patient = true) => {
      const call = as(user, 'wallet', patient);
      const read = await unlessSilent(call('GET', '/wallet/balance'));
      const amount = Number(read?.body['balance'] ?? 0);
      if (amount === 0 || amount >= 1) return;
      const asked = { amount, idempotency_key: randomUUID() };
      // 409: the balance has changed since it was read, or a transfer is in progress.
      const twice = [1, 2].map(() => unlessSilent(call('POST', '/wallet/give-up', asked, [200, 409])));
      for (const answer of await Promise.all(twice)) {
        const key = `given-up:${user.userId}:${asked.idempotency_key}`;
        if (answer?.status === 200) reported.givenUp.set(key, Math.round(amount * 100));
      }
    },
    shareOut: async (parties, percentages) => {
      const [primary] = parties;
      if (!primary) throw new Error('A document needs a party');
      const id = documents.add(parties);
      const payment_distributions = parties.map(({ userId }, i) => ({
        user_id: userId,
        percentage: percentages[i] ?? 0,
      }));
      const path = `/payments/document/${id}/setup-distribution`;
      await as(primary, 'payments')('POST', path, { payment_distributions }, [200]);
      return id;
    },
    refund: async (payment, rupees, patient = true) => {
      const call = as(admin, 'wallet', patient);
      const asked = {
        payment_id: payment.id,
        amount: rupees,
        reason: 'Asked for it',
        idempotency_key: randomUUID(),
      };
      // 404: its order is not credited yet. 409: more than is left of it or in the wallet.
      const statuses = [200, 201, 404, 409];
      const twice = [1, 2].map(() => unlessSilent(call('POST', '/admin/wallet/refunds', asked, statuses)));
      for (const answer of await Promise.all(twice))
        if (answer && answer.status < 300)
          reported.refunded.set(String(answer.body['refund_id']), rupees * 100);
    },
  };
}

const unlessSilent = (answer: Promise<Answer>): Promise<Answer | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  });
