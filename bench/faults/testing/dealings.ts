/** What people, the card provider and admins do with money, patiently: each call is repeated until it says something. */
import { randomUUID } from 'node:crypto';
import type { Payment } from '@karaar/testing/providers/razorpay';
import type { WorldUser } from '@karaar/testing/service-world';
import { expectStatus, NoAnswer, patientClient, type Answer, type Call } from '../../lib/people.ts';
import type { MoneyWorld, PartName } from './money-world.ts';

/** Who brings a paid order home, or tries to. `nobody` leaves it to the reconciler. */
export const MESSENGERS = ['verify', 'notice', 'receipt', 'failed', 'forged', 'tampered', 'nobody'] as const;
export type Messenger = (typeof MESSENGERS)[number];

/** What callers were told, to be found again. */
export type Told = {
  /** Payments answered as completed: id → paise. */
  paid: Map<string, number>;
  /** Refunds that were taken: id → paise. */
  refunded: Map<string, number>;
  /** Payments refused for the balance. */
  refused: number;
  /** Rests that were given up: the key → paise. */
  givenUp: Map<string, number>;
};

export type Dealings = {
  told: Told;
  /** Opens an order, pays it at the provider and sends the messengers off all at once. */
  topUp: (user: WorldUser, rupees: number, messengers: readonly Messenger[]) => Promise<Payment>;
  /** One more messenger for a payment, however late. */
  tell: (user: WorldUser, payment: Payment, messenger: Messenger) => Promise<void>;
  /** Pays the user's share of a document. Whoever is not patient asks once and goes away without an answer. */
  pay: (user: WorldUser, documentId: string, patient?: boolean) => Promise<void>;
  shareOut: (parties: readonly WorldUser[], percentages: readonly number[]) => Promise<string>;
  /** Sends some of a payment back to its card, asked for twice under one key. */
  refund: (payment: Payment, rupees: number, patient?: boolean) => Promise<void>;
  /** Gives up what the wallet holds where that is less than a card can have back, asked for twice under one key. */
  giveUp: (user: WorldUser, patient?: boolean) => Promise<void>;
};

/** @param url where a service answers now */
export async function dealings(
  { world, razorpay, documents }: MoneyWorld,
  url: (name: PartName) => string,
): Promise<Dealings> {
  const told: Told = { paid: new Map(), refunded: new Map(), refused: 0, givenUp: new Map() };
  const adminHeaders = await world.adminHeaders();
  const as = (user: Pick<WorldUser, 'headers'>, name: PartName, patient = true): Call =>
    patientClient(() => url(name), user.headers, patient ? undefined : 0);
  const deliver = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
    patientClient(() => url('wallet'), headers)('POST', '/wallet/razorpay-webhook', body);

  const tell: Dealings['tell'] = async (user, payment, messenger) => {
    const checkout = razorpay.checkoutOf(payment);
    const verify = (body: object) => as(user, 'wallet')('POST', '/wallet/verify-razorpay-payment', body);
    const captured = razorpay.webhook('payment.captured', payment);
    switch (messenger) {
      case 'verify':
        return expectStatus(messenger, await verify(checkout), 200);
      case 'notice':
        for (let i = 0; i < 3; i += 1) expectStatus(messenger, await deliver(captured), 200);
        return;
      case 'receipt': {
        const body = { amount: payment.amount / 100, payment_receipt: payment.id };
        return expectStatus(messenger, await as(user, 'wallet')('POST', '/wallet/add-funds', body), 200, 409);
      }
      case 'failed': {
        const earlier = { ...payment, id: `${payment.id}x`, status: 'failed' as const };
        return expectStatus(messenger, await deliver(razorpay.webhook('payment.failed', earlier)), 200);
      }
      case 'forged': {
        const razorpay_signature = '00'.repeat(32);
        return expectStatus(messenger, await verify({ ...checkout, razorpay_signature }), 400);
      }
      case 'tampered': {
        const body = captured.body.replace(`"amount": ${payment.amount}`, '"amount": 99999900');
        return expectStatus(messenger, await deliver({ ...captured, body }), 401);
      }
      case 'nobody':
    }
  };
  return {
    told,
    tell,
    topUp: async (user, rupees, messengers) => {
      const asked = await as(user, 'wallet')('POST', '/wallet/create-razorpay-order', { amount: rupees });
      expectStatus('order', asked, 200);
      const order = asked.body['order'] as { id: string; amount: number };
      // Every second payer bears the provider's fee.
      const fee = razorpay.payments.size % 2 === 0 ? 0 : Math.round(order.amount * 0.0236);
      const payment = razorpay.pay(order.id, { amount: order.amount + fee, fee });
      await Promise.all(messengers.map((messenger) => tell(user, payment, messenger)));
      return payment;
    },
    pay: async (user, documentId, patient = true) => {
      const call = as(user, 'payments', patient);
      const answer = await unlessSilent(call('POST', `/payments/document/${documentId}/pay`, {}));
      if (!answer) return;
      // 409: an earlier attempt was refused for its balance; the next one is a new payment.
      expectStatus('pay', answer, 200, 402, 409);
      if (answer.status === 200) {
        if (answer.body['status'] !== 'completed') throw new Error(`told ${String(answer.body['status'])}`);
        told.paid.set(String(answer.body['_id']), Math.round(Number(answer.body['amount']) * 100));
      } else told.refused += 1;
    },
    giveUp: async (user, patient = true) => {
      const call = as(user, 'wallet', patient);
      const read = await unlessSilent(call('GET', '/wallet/balance'));
      const amount = Number(read?.body['balance'] ?? 0);
      if (amount === 0 || amount >= 1) return;
      const asked = { amount, idempotency_key: randomUUID() };
      const twice = [1, 2].map(() => unlessSilent(call('POST', '/wallet/give-up', asked)));
      for (const answer of await Promise.all(twice)) {
        if (!answer) continue;
        // 409: the wallet has changed since it was read, or money is under way.
        expectStatus('give up', answer, 200, 409);
        const key = `given-up:${user.userId}:${asked.idempotency_key}`;
        if (answer.status === 200) told.givenUp.set(key, Math.round(amount * 100));
      }
    },
    shareOut: async (parties, percentages) => {
      const [primary] = parties;
      if (!primary) throw new Error('nobody to share');
      const id = documents.add(parties);
      const payment_distributions = parties.map(({ userId }, i) => ({
        user_id: userId,
        percentage: percentages[i] ?? 0,
      }));
      const path = `/payments/document/${id}/setup-distribution`;
      expectStatus('shares', await as(primary, 'payments')('POST', path, { payment_distributions }), 200);
      return id;
    },
    refund: async (payment, rupees, patient = true) => {
      const admin = as({ headers: adminHeaders }, 'wallet', patient);
      const asked = {
        payment_id: payment.id,
        amount: rupees,
        reason: 'Asked for it',
        idempotency_key: randomUUID(),
      };
      const twice = [1, 2].map(() => unlessSilent(admin('POST', '/admin/wallet/refunds', asked)));
      for (const answer of await Promise.all(twice)) {
        if (!answer) continue;
        // 404: its order is not credited yet; 409: more than is left of it or in the wallet.
        expectStatus('refund', answer, 200, 201, 404, 409);
        if (answer.status < 300) told.refunded.set(String(answer.body['refund_id']), rupees * 100);
      }
    },
  };
}

const unlessSilent = (answer: Promise<Answer>): Promise<Answer | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  });
