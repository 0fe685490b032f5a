import { createHmac } from 'node:crypto';
import type { Journal } from '../journal.ts';
import {
  feeOf,
  newId,
  nowS,
  type Dispute,
  type DisputeStatus,
  type Notes,
  type Order,
  type Payment,
  type Refund,
  type RefundStatus,
} from './entities.ts';
import { badField, RazorpayError } from './errors.ts';
import { indianDay, settlementOf, type Settled, type Settlement } from './settlements.ts';

/** `authorized`: the bank has approved it, and it is captured later or never. */
export type Outcome = 'success' | 'failure' | 'authorized';

export interface NewOrder {
  amount: number;
  currency: string;
  receipt: string | null;
  notes: Notes | [];
}

export interface NewRefund {
  amount?: number;
  speed: 'normal' | 'optimum';
  receipt: string | null;
  notes: Notes | [];
  /** `X-Refund-Idempotency`: a refund of the same key is the same refund. */
  key?: string;
}

export type FeeBearer = 'platform' | 'customer';

export type Listed = 'payment' | 'refund' | 'dispute' | 'settlement';
/** Seconds since 1970, both ends included, and which of those. */
export interface Page {
  from: number;
  to: number;
  count: number;
  skip: number;
}

/** What a checkout hands to the page, and what the server checks. */
export interface CheckoutResult {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  /** Only for a payment that was captured. */
  razorpay_signature: string | null;
}

/** The provider's books: orders, the payments tried on them, refunds. Throws `RazorpayError`. */
export class Ledger {
  readonly #orders = new Map<string, Order>();
  readonly #payments = new Map<string, Payment>();
  readonly #refunds = new Map<string, Refund>();
  readonly #refundsByKey = new Map<string, Refund>();
  readonly #disputes = new Map<string, Dispute>();
  readonly #settlements = new Map<string, Settlement>();
  /** In which state refunds are taken from now on. */
  takesRefunds: RefundStatus = 'processed';
  /** Who bears the provider's fee from now on: with `customer` it is paid on top of the order. */
  feeBearer: FeeBearer = 'platform';
  readonly #journal: Journal;
  readonly #keySecret: string;

  constructor(journal: Journal, keySecret: string) {
    this.#journal = journal;
    this.#keySecret = keySecret;
    for (const { kind, id, value } of journal.restored) {
      if (kind === 'order') this.#orders.set(id, value as Order);
      if (kind === 'payment') this.#payments.set(id, value as Payment);
      if (kind === 'refund') this.#refunds.set(id, value as Refund);
      if (kind === 'dispute') this.#disputes.set(id, value as Dispute);
      if (kind === 'settlement') this.#settlements.set(id, value as Settlement);
      if (kind === 'refund-key') this.#refundsByKey.set(id, value as Refund);
    }
  }

  #save<T extends Order | Payment | Refund | Dispute | Settlement>(into: Map<string, T>, value: T): T {
    into.set(value.id, value);
    this.#journal.append({ kind: value.entity, id: value.id, value });
    return value;
  }

  createOrder({ amount, currency, receipt, notes }: NewOrder): Order {
    return this.#save(this.#orders, {
      id: newId('order'),
      entity: 'order',
      amount,
      amount_paid: 0,
      amount_due: amount,
      currency,
      receipt,
      offer_id: null,
      status: 'created',
      attempts: 0,
      notes,
      created_at: nowS(),
    });
  }

  order(id: string): Order {
    return this.#orders.get(id) ?? unknownId();
  }

  /** The orders with a receipt, newest first. */
  ordersWithReceipt(receipt: string | undefined): Order[] {
    const all = [...this.#orders.values()].reverse();
    return receipt === undefined ? all : all.filter((order) => order.receipt === receipt);
  }

  /** A page of one of the provider's lists, newest first. */
  list(kind: Listed, page: Page): (Payment | Refund | Dispute | Settlement)[] {
    const all = {
      payment: this.#payments,
      refund: this.#refunds,
      dispute: this.#disputes,
      settlement: this.#settlements,
    };
    return [...all[kind].values()]
      .filter(({ created_at }) => created_at >= page.from && created_at <= page.to)
      .reverse()
      .slice(page.skip, page.skip + page.count);
  }

  /** All refunds, the oldest first. */
  get refunds(): Refund[] {
    return [...this.#refunds.values()];
  }

  dispute(id: string): Dispute {
    return this.#disputes.get(id) ?? unknownId();
  }

  /** What the settlements of a day of India paid out or kept back. */
  settledOn(day: string): Settled[] {
    return [...this.#settlements.values()]
      .filter(({ created_at }) => indianDay(created_at) === day)
      .flatMap(({ parts }) => parts);
  }

  /** Pays out what no settlement has had yet; undefined when there is nothing. @param at seconds since 1970 */
  settle(at = nowS()): Settlement | undefined {
    const settled = new Set(
      [...this.#settlements.values()].flatMap(({ parts }) => parts.map((part) => part.entity_id)),
    );
    const open = [...this.#payments.values(), ...this.#refunds.values()].filter(
      (entity) =>
        !settled.has(entity.id) &&
        (entity.entity === 'payment' ? entity.captured : entity.status !== 'failed'),
    );
    if (open.length === 0) return undefined;
    return this.#save(this.#settlements, settlementOf(open, at));
  }

  payment(id: string): Payment {
    return this.#payments.get(id) ?? unknownId();
  }

  /** The payments tried on an order, newest first. */
  paymentsOf(orderId: string): Payment[] {
    const { id } = this.order(orderId);
    return [...this.#payments.values()].filter((payment) => payment.order_id === id).reverse();
  }

  /** What a customer is asked to pay for an order. */
  payable(order: Order): number {
    return order.amount + (this.feeBearer === 'customer' ? feeOf(order.amount).fee : 0);
  }

  /** A try to pay an order, as a customer makes it in the checkout. An order is paid once at most. */
  attempt(
    orderId: string,
    outcome: Outcome,
    description: string | null = null,
    taken?: number,
  ): { order: Order; payment: Payment } {
    const order = this.order(orderId);
    const amount = taken ?? this.payable(order);
    if (order.status === 'paid') throw badField('order_id', 'Order already paid');
    const captured = outcome === 'success';
    const payment = this.#save(this.#payments, {
      id: newId('pay'),
      entity: 'payment',
      amount,
      currency: order.currency,
      status: outcome === 'authorized' ? 'authorized' : captured ? 'captured' : 'failed',
      order_id: order.id,
      invoice_id: null,
      international: false,
      method: 'card',
      amount_refunded: 0,
      refund_status: null,
      captured,
      description,
      card_id: newId('card'),
      bank: null,
      wallet: null,
      vpa: null,
      // The payer in the sandbox is invented: the page's prefill is not kept.
      email: 'void@example.com',
      contact: '+910000000000',
      notes: order.notes,
      ...(captured ? this.#feeFor(order, amount) : { fee: null, tax: null }),
      ...(outcome === 'failure' ? DECLINED : NO_FAULT),
      acquirer_data: { auth_code: captured ? String(nowS() % 1_000_000).padStart(6, '0') : null },
      created_at: nowS(),
    } satisfies Payment);
    const paid = captured ? { amount_paid: order.amount, amount_due: 0 } : {};
    const status = captured ? 'paid' : 'attempted';
    const next = this.#save(this.#orders, { ...order, ...paid, status, attempts: order.attempts + 1 });
    return { order: next, payment };
  }

  /** The fee is of the order where it is paid on top of that, and of what was paid otherwise. */
  #feeFor(order: Order, paid: number): { fee: number; tax: number } {
    const onTop = feeOf(order.amount);
    return paid === order.amount + onTop.fee ? onTop : feeOf(paid);
  }

  resultOf(payment: Payment): CheckoutResult {
    const signed = `${payment.order_id}|${payment.id}`;
    return {
      razorpay_order_id: payment.order_id,
      razorpay_payment_id: payment.id,
      // A bank that has approved is enough for the checkout to end well.
      razorpay_signature:
        payment.status !== 'failed'
          ? createHmac('sha256', this.#keySecret).update(signed).digest('hex')
          : null,
    };
  }

  /** Newest first, as the provider lists them. */
  refundsOf(paymentId: string): Refund[] {
    this.payment(paymentId);
    return [...this.#refunds.values()].filter((refund) => refund.payment_id === paymentId).reverse();
  }

  refundOf(id: string): Refund {
    return this.#refunds.get(id) ?? unknownId();
  }

  /** An approved payment arrives, or never will. */
  endPayment(id: string, arrives: boolean): { order: Order; payment: Payment } {
    const payment = this.payment(id);
    if (payment.status !== 'authorized') throw badField('payment_id', 'The payment is not authorized');
    const order = this.order(payment.order_id);
    const change = arrives
      ? { status: 'captured' as const, captured: true, ...this.#feeFor(order, payment.amount) }
      : FAILED;
    const ended = this.#save(this.#payments, { ...payment, ...change });
    if (!arrives) return { order, payment: ended };
    const paid = { amount_paid: order.amount, amount_due: 0, status: 'paid' as const };
    return { order: this.#save(this.#orders, { ...order, ...paid }), payment: ended };
  }

  /** A refund that was taken is done, or comes back from the bank. */
  endRefund(id: string, status: RefundStatus): Refund {
    const refund = this.refundOf(id);
    if (status === 'failed' && refund.status !== 'failed') {
      const payment = this.payment(refund.payment_id);
      const left = payment.amount_refunded - refund.amount;
      this.#save(this.#payments, {
        ...payment,
        amount_refunded: left,
        refund_status: left > 0 ? 'partial' : null,
        status: 'captured',
      });
    }
    return this.#save(this.#refunds, { ...refund, status });
  }

  /** A bank disputes a payment on its customer's behalf. */
  openDispute(paymentId: string, amount?: number): Dispute {
    const payment = this.payment(paymentId);
    return this.#save(this.#disputes, {
      id: newId('disp'),
      entity: 'dispute',
      payment_id: payment.id,
      amount: amount ?? payment.amount,
      currency: payment.currency,
      amount_deducted: 0,
      reason_code: 'chargeback',
      phase: 'chargeback',
      status: 'open',
      created_at: nowS(),
    });
  }

  moveDispute(id: string, status: DisputeStatus): Dispute {
    const dispute = this.#disputes.get(id) ?? unknownId();
    const amount_deducted = status === 'lost' ? dispute.amount : 0;
    return this.#save(this.#disputes, { ...dispute, status, amount_deducted });
  }

  refund(paymentId: string, asked: NewRefund): Refund {
    const known = asked.key === undefined ? undefined : this.#refundsByKey.get(asked.key);
    if (known) return this.refundOf(known.id);
    const made = this.#refund(paymentId, asked);
    if (asked.key !== undefined) {
      this.#refundsByKey.set(asked.key, made);
      this.#journal.append({ kind: 'refund-key', id: asked.key, value: made });
    }
    return made;
  }

  #refund(paymentId: string, { amount, speed, receipt, notes }: NewRefund): Refund {
    const payment = this.payment(paymentId);
    if (payment.status === 'refunded')
      throw badField(undefined, 'The payment has been fully refunded already');
    if (!payment.captured)
      throw badField(undefined, 'The payment status should be captured for action to be taken');
    const left = payment.amount - payment.amount_refunded;
    const refunded = amount ?? left;
    if (refunded > left)
      throw badField('amount', 'The total refund amount is greater than the refund payment amount');
    const full = refunded === left;
    this.#save(this.#payments, {
      ...payment,
      amount_refunded: payment.amount_refunded + refunded,
      refund_status: full ? 'full' : 'partial',
      status: full ? 'refunded' : payment.status,
    });
    return this.#save(this.#refunds, {
      id: newId('rfnd'),
      entity: 'refund',
      amount: refunded,
      currency: payment.currency,
      payment_id: payment.id,
      notes,
      receipt,
      acquirer_data: { arn: null },
      created_at: nowS(),
      batch_id: null,
      status: this.takesRefunds,
      speed_processed: 'normal',
      speed_requested: speed,
    });
  }
}

const NO_FAULT = {
  error_code: null,
  error_description: null,
  error_source: null,
  error_step: null,
  error_reason: null,
};

const DECLINED = {
  error_code: 'BAD_REQUEST_ERROR',
  error_description: 'Your payment was declined by the test bank. Try again or use another method.',
  error_source: 'bank',
  error_step: 'payment_authorization',
  error_reason: 'payment_failed',
};

const FAILED = { status: 'failed', captured: false, ...DECLINED } as const;

function unknownId(): never {
  throw new RazorpayError(400, { description: 'The id provided does not exist', source: 'business' });
}
