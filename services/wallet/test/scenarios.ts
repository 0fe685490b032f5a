/** The scenarios of one payment at the card provider, step by step, with the expected books at the end. */
import { randomUUID } from 'node:crypto';
import type { Dispute, Webhook, Payment, ProviderRefund, Razorpay } from '@karaar/testing/providers/razorpay';
import { nowS } from '@karaar/testing/sandboxes/razorpay/entities';

export type Stage = {
  razorpay: Razorpay;
  orderId: string;
  payment: Payment;
  /** Returns the refunds of this scenario's payments at the provider, oldest first. */
  refunds: () => ProviderRefund[];
  disputes: Dispute[];
  /** An admin sends this much of the payment back to its card. */
  refund: (rupees: number) => Promise<void>;
  spend: (rupees: number) => Promise<void>;
};

/** One step at the provider, which returns its webhooks in order. */
type Step = (stage: Stage) => Promise<Webhook[]> | Webhook[];

export type Scenario = {
  name: string;
  begins?: Partial<Payment>;
  steps: readonly Step[];
  /** Rupees in the wallet at the end. */
  wallet: number;
  exceptions?: readonly string[];
};

const id = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

const captured: Step = ({ razorpay, payment }) => {
  payment.status = 'captured';
  return [razorpay.webhook('payment.captured', payment), razorpay.webhook('order.paid', payment)];
};
const failed: Step = ({ razorpay, payment }) => {
  payment.status = 'failed';
  return [razorpay.webhook('payment.failed', payment)];
};
const authorized: Step = ({ razorpay, payment }) => [razorpay.webhook('payment.authorized', payment)];
const paidAgain: Step = ({ razorpay, orderId }) => [
  razorpay.webhook('payment.captured', razorpay.pay(orderId)),
];
const spends =
  (rupees: number): Step =>
  async ({ spend }) => {
    await spend(rupees);
    return [];
  };
/** An admin's refund, which the provider accepts in this state. */
const refunds =
  (rupees: number, taken: Razorpay['takesRefunds']): Step =>
  async ({ razorpay, refund, refunds: all }) => {
    razorpay.takesRefunds = taken;
    await refund(rupees);
    return all().map((made) => razorpay.webhookOf('refund.created', { refund: { ...made } }));
  };
const refundBecomes =
  (status: 'processed' | 'failed'): Step =>
  ({ razorpay, refunds: all }) =>
    all().map((refund) => {
      refund.status = status;
      return razorpay.webhookOf(`refund.${status}`, { refund: { ...refund } });
    });
const dashboardRefund =
  (rupees: number): Step =>
  ({ razorpay, payment }) => {
    const refund: ProviderRefund = {
      ...{ id: id('rfnd'), payment_id: payment.id, amount: Math.round(rupees * 100) },
      ...{ receipt: null, status: 'processed', created_at: nowS() },
    };
    razorpay.refunds.push(refund);
    return ['refund.created', 'refund.processed'].map((event) => razorpay.webhookOf(event, { refund }));
  };
const disputeOpened: Step = ({ razorpay, payment, disputes }) => {
  const dispute: Dispute = {
    ...{ id: id('disp'), payment_id: payment.id, amount: payment.amount },
    ...{ status: 'open', created_at: nowS() },
  };
  razorpay.disputes.push(dispute);
  disputes.push(dispute);
  return [razorpay.webhookOf('payment.dispute.created', { dispute: { ...dispute } })];
};
const disputeBecomes =
  (status: 'won' | 'lost'): Step =>
  ({ razorpay, disputes }) =>
    disputes.map((dispute) => {
      dispute.status = status;
      return razorpay.webhookOf(`payment.dispute.${status}`, { dispute: { ...dispute } });
    });
/** Two days ago, so that its day is complete. */
const settled =
  (paise: number): Step =>
  ({ razorpay, payment }) => {
    const settlement = { id: id('setl'), amount: paise, status: 'processed', created_at: nowS() - 172_800 };
    razorpay.settlements.push(settlement);
    razorpay.settled.push({
      ...{ entity_id: payment.id, type: 'payment', amount: payment.amount, debit: 0 },
      credit: payment.amount - 236,
      ...{ settlement_id: settlement.id, settled_at: settlement.created_at },
    });
    return [];
  };
const brownout =
  (mode: 'error' | 'normal'): Step =>
  ({ razorpay }) => {
    razorpay.mode = mode;
    return [];
  };
const inProgress =
  (is: boolean): Step =>
  ({ razorpay }) => {
    razorpay.refusesRefunds = is
      ? { status: 409, description: 'Another request is still being processed' }
      : undefined;
    return [];
  };

const waits = { status: 'authorized' } as const;
const ON_TOP = { amount: 10_236, fee: 236 } as const;

/** Each begins with an order of ₹100 and one payment of it. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'captured at once', steps: [captured], wallet: 100 },
  { name: 'authorized only', begins: waits, steps: [authorized], wallet: 0 },
  { name: 'authorized, captured late', begins: waits, steps: [authorized, captured], wallet: 100 },
  { name: 'authorized, capture fails', begins: waits, steps: [authorized, failed], wallet: 0 },
  { name: 'fails', begins: { status: 'failed' }, steps: [failed], wallet: 0 },
  {
    name: 'one order paid twice',
    steps: [captured, paidAgain],
    wallet: 100,
    exceptions: ['payment_uncredited'],
  },
  {
    name: 'another amount than the order',
    begins: { amount: 9_000 },
    steps: [captured],
    wallet: 0,
    exceptions: ['payment_uncredited'],
  },
  { name: 'the fee on top of the order', begins: ON_TOP, steps: [captured], wallet: 100 },
  {
    name: 'the fee on top, captured late',
    begins: { ...ON_TOP, ...waits },
    steps: [authorized, captured],
    wallet: 100,
  },
  {
    name: 'the fee on top, refunds of both parts',
    begins: ON_TOP,
    steps: [captured, refunds(40, 'processed'), dashboardRefund(62.36)],
    wallet: 0,
  },
  {
    name: 'the fee on top, a refund of everything that fails',
    begins: ON_TOP,
    steps: [captured, dashboardRefund(102.36), refundBecomes('failed')],
    wallet: 100,
  },
  {
    name: 'the fee on top, a dispute lost',
    begins: ON_TOP,
    steps: [captured, disputeOpened, disputeBecomes('lost')],
    wallet: 0,
  },
  {
    name: 'the fee on top, a dispute won',
    begins: ON_TOP,
    steps: [captured, disputeOpened, disputeBecomes('won')],
    wallet: 100,
  },
  { name: 'the fee on top, settled', begins: ON_TOP, steps: [captured, settled(10_000)], wallet: 100 },
  { name: 'refund done at once', steps: [captured, refunds(40, 'processed')], wallet: 60 },
  { name: 'refund pending still', steps: [captured, refunds(40, 'pending')], wallet: 60 },
  {
    name: 'refund pending, then processed',
    steps: [captured, refunds(40, 'pending'), refundBecomes('processed')],
    wallet: 60,
  },
  {
    name: 'refund pending, then failed',
    steps: [captured, refunds(40, 'pending'), refundBecomes('failed')],
    wallet: 100,
  },
  {
    name: 'refund processed, then failed after all',
    steps: [captured, refunds(40, 'processed'), refundBecomes('failed')],
    wallet: 100,
  },
  {
    name: 'refund answered 409 in progress, then done',
    steps: [captured, inProgress(true), refunds(40, 'processed'), inProgress(false)],
    wallet: 60,
  },
  { name: 'refund in the dashboard', steps: [captured, dashboardRefund(30)], wallet: 70 },
  {
    name: 'refund in the dashboard of what is spent',
    steps: [captured, spends(80), dashboardRefund(100)],
    wallet: 0,
    exceptions: ['wallet_short'],
  },
  {
    name: 'refund in the dashboard that fails',
    steps: [captured, dashboardRefund(30), refundBecomes('failed')],
    wallet: 100,
  },
  { name: 'dispute opened', steps: [captured, disputeOpened], wallet: 0 },
  { name: 'dispute lost', steps: [captured, disputeOpened, disputeBecomes('lost')], wallet: 0 },
  { name: 'dispute won', steps: [captured, disputeOpened, disputeBecomes('won')], wallet: 100 },
  { name: 'settled', steps: [captured, settled(9_764)], wallet: 100 },
  {
    name: 'settled with another sum than its parts',
    steps: [captured, settled(9_000)],
    wallet: 100,
    exceptions: ['settlement_differs'],
  },
  {
    name: 'provider down (500) while it is paid',
    steps: [brownout('error'), captured, brownout('normal')],
    wallet: 100,
  },
  {
    name: 'provider down (500) while it refunds',
    steps: [captured, brownout('error'), refunds(40, 'processed'), brownout('normal')],
    wallet: 60,
  },
];
