import { createHmac } from 'node:crypto';
import type { Journal } from '../journal.ts';
import {
  DECLINED,
  feeOf,
  newId,
  newPayment,
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
  payment?: object;
}

export interface NewRefund {
  amount?: number;
  speed: 'normal' | 'optimum';
  receipt: string | null;
  notes: Notes | [];
  key?: string;
}

export type FeeBearer = 'platform' | 'customer';

export type Listed = 'payment' | 'refund' | 'dispute' | 'settlement';
/** A time range (seconds since 1970, both ends included), and a page of it. */
export interface Page {
  from: number;
  to: number;
  count: number;
  skip: number;
}

/** A payment as in the API's responses. */
export type ShownPayment = Payment & {
  captured: boolean;
  amount_refunded: number;
  refund_status: 'partial' | 'full' | null;
};

/** The checkout's result, which the page sends to the server to check. */
export interface CheckoutResult {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  /** Null for a failed payment. */
  razorpay_signature: string | null;
}

const STATUS = { success: 'captured', failure: 'failed', authorized: 'authorized' } as const;

/** The provider's ledger. Tests may change it directly. Throws `RazorpayError`. */
export class Ledger {
  readonly orders = new Map<string, Order>();
  readonly payments = new Map<string, Payment>();
  readonly refunds: Refund[] = [];
  readonly disputes: Dispute[] = [];
  readonly settlements: Settlement[] = [];
  readonly settled: Settled[] = [];
  /** The initial status of later refunds. */
  takesRefunds: RefundStatus = 'processed';
  /** Who pays the provider's fee from now on: with `customer` it is added to the order's amount. */
  feeBearer: FeeBearer = 'platform';
  readonly #journal: Journal;
  readonly #keySecret: string;

  constructor(journal: Journal, keySecret: string) {
    this.#journal = journal;
    this.#keySecret = keySecret;
    for (const { kind, id, value } of journal.restored) {
      if (kind === 'order') this.orders.set(id, value as Order);
      if (kind === 'payment') this.payments.set(id, value as Payment);
      if (kind === 'refund') this.refunds.push(value as Refund);
      if (kind === 'dispute') this.disputes.push(value as Dispute);
      if (kind === 'settlement') this.settlements.push(value as Settlement);
      if (kind === 'settled') this.settled.push(value as Settled);
    }
  }

  #write<T extends Order | Payment | Refund | Dispute | Settlement>(value: T): T {
    this.#journal.append({ kind: value.entity, id: value.id, value });
    return value;
  }

  #writeNew<T extends Refund | Dispute | Settlement>(rows: T[], value: T): T {
    rows.push(value);
    return this.#write(value);
  }

  createOrder(asked: NewOrder): Order {
    const order: Order = {
      id: newId('order'),
      entity: 'order',
      amount_paid: 0,
      amount_due: asked.amount,
      offer_id: null,
      status: 'created',
      attempts: 0,
      created_at: nowS(),
      ...asked,
    };
    this.orders.set(order.id, order);
    return this.#write(order);
  }

  order(id: string): Order {
    return this.orders.get(id) ?? unknownId();
  }

  /** Returns the orders with a receipt, newest first. */
  ordersWithReceipt(receipt: string | undefined): Order[] {
    const all = [...this.orders.values()].reverse();
    return receipt === undefined ? all : all.filter((order) => order.receipt === receipt);
  }

  /** Returns a page of one of the provider's lists, newest first. */
  list(kind: Listed, { from, to, skip, count }: Page): object[] {
    const page = <T extends { created_at?: number }>(rows: Iterable<T>, shown: (row: T) => object) =>
      [...rows]
        .filter(({ created_at = nowS() }) => created_at >= from && created_at <= to)
        .reverse()
        .slice(skip, skip + count)
        .map((row) => shown(row));
    if (kind === 'payment') return page(this.payments.values(), (payment) => this.#shown(payment));
    if (kind === 'refund') return page(this.refunds, shownRefund);
    if (kind === 'dispute') return page(this.disputes, shownDispute);
    return page(this.settlements, (settlement) => ({ ...settlement, entity: 'settlement' }));
  }

  dispute(id: string): Dispute {
    return shownDispute(this.disputes.find((dispute) => dispute.id === id) ?? unknownId());
  }

  /** Returns the parts of a day's settlements (India's calendar). */
  settledOn(day: string): Settled[] {
    return this.settled.filter(({ settled_at }) => indianDay(settled_at) === day);
  }

  /**
   * Settles everything that no settlement contains yet; undefined if there is nothing. @param at seconds
   * since 1970
   */
  settle(at = nowS()): Settlement | undefined {
    const settled = new Set(this.settled.map(({ entity_id }) => entity_id));
    const open = [
      ...[...this.payments.values()].filter(({ status }) => status === 'captured'),
      ...this.refunds.filter(({ status }) => status !== 'failed'),
    ].filter(({ id }) => !settled.has(id));
    if (open.length === 0) return undefined;
    const { settlement, parts } = settlementOf(open, at);
    for (const part of parts) {
      this.settled.push(part);
      this.#journal.append({ kind: 'settled', id: part.entity_id, value: part });
    }
    return this.#writeNew(this.settlements, settlement);
  }

  payment(id: string): ShownPayment {
    return this.#shown(this.#payment(id));
  }

  #payment(id: string): Payment {
    return this.payments.get(id) ?? unknownId();
  }

  #shown(payment: Payment): ShownPayment {
    const refunded = this.#refunded(payment.id);
    const isFull = refunded > 0 && refunded >= payment.amount;
    return {
      ...payment,
      status: isFull ? 'refunded' : payment.status,
      captured: payment.status === 'captured' || payment.status === 'refunded',
      amount_refunded: refunded,
      refund_status: isFull ? 'full' : refunded > 0 ? 'partial' : null,
    };
  }

  #refunded(paymentId: string): number {
    return this.refunds
      .filter(({ payment_id, status }) => payment_id === paymentId && status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Returns the payment attempts of an order, newest first. */
  paymentsOf(orderId: string): ShownPayment[] {
    const { id } = this.order(orderId);
    const tried = [...this.payments.values()].filter((payment) => payment.order_id === id);
    return tried.map((payment) => this.#shown(payment)).reverse();
  }

  /** Returns the amount that a customer has to pay for an order. */
  payable(order: Order): number {
    return order.amount + (this.feeBearer === 'customer' ? feeOf(order.amount).fee : 0);
  }

  /** Attempts to pay an order, like a customer in the checkout. An order is paid at most once. */
  attempt(
    orderId: string,
    outcome: Outcome,
    description: string | null = null,
    taken?: number,
  ): { order: Order; payment: ShownPayment } {
    const order = this.order(orderId);
    if (order.status === 'paid') throw badField('order_id', 'Order already paid');
    const payment = newPayment(order, taken ?? this.payable(order), STATUS[outcome]);
    this.payments.set(payment.id, payment);
    Object.assign(order, { status: 'attempted', attempts: order.attempts + 1 });
    return this.#arrived(order, Object.assign(payment, { description }));
  }

  /** Stores a payment, and marks its order as paid if it is captured. */
  #arrived(order: Order, payment: Payment): { order: Order; payment: ShownPayment } {
    if (payment.status === 'captured') {
      // A fee on top of the order is computed from the order's amount, otherwise from the paid amount.
      const onTop = feeOf(order.amount);
      Object.assign(payment, payment.amount === order.amount + onTop.fee ? onTop : feeOf(payment.amount));
      Object.assign(order, { amount_paid: order.amount, amount_due: 0, status: 'paid' });
    }
    return { order: this.#write(order), payment: this.#shown(this.#write(payment)) };
  }

  resultOf({ order_id, id, status }: Payment): CheckoutResult {
    const signature = createHmac('sha256', this.#keySecret).update(`${order_id}|${id}`).digest('hex');
    return {
      razorpay_order_id: order_id,
      razorpay_payment_id: id,
      // The bank's approval is enough for the checkout to succeed.
      razorpay_signature: status === 'failed' ? null : signature,
    };
  }

  /** Newest first, as the provider lists them. */
  refundsOf(paymentId: string): Refund[] {
    const { id } = this.#payment(paymentId);
    return this.refunds
      .filter(({ payment_id }) => payment_id === id)
      .map(shownRefund)
      .reverse();
  }

  refundOf(id: string): Refund {
    return shownRefund(this.#refund(id));
  }

  #refund(id: string): Refund {
    return this.refunds.find((refund) => refund.id === id) ?? unknownId();
  }

  /** Captures an approved payment, or fails it. */
  endPayment(id: string, arrives: boolean): { order: Order; payment: ShownPayment } {
    const payment = this.#payment(id);
    if (payment.status !== 'authorized') throw badField('payment_id', 'The payment is not authorized');
    Object.assign(payment, arrives ? { status: 'captured' } : { status: 'failed', ...DECLINED });
    return this.#arrived(this.order(payment.order_id), payment);
  }

  /** Completes or fails an accepted refund. */
  endRefund(id: string, status: RefundStatus): Refund {
    return shownRefund(this.#write(Object.assign(this.#refund(id), { status })));
  }

  /** Opens a bank's dispute of a payment. */
  openDispute(paymentId: string, amount?: number): Dispute {
    const payment = this.#payment(paymentId);
    return this.#writeNew(this.disputes, {
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
    const dispute = this.disputes.find((each) => each.id === id) ?? unknownId();
    const amount_deducted = status === 'lost' ? dispute.amount : 0;
    return this.#write(Object.assign(dispute, { status, amount_deducted }));
  }

  refund(paymentId: string, { amount, speed, key, ...asked }: NewRefund): Refund {
    const known = key === undefined ? undefined : this.refunds.find((refund) => refund.key === key);
    if (known) return shownRefund(known);
    const payment = this.payment(paymentId);
    if (payment.status === 'refunded')
      throw badField(undefined, 'The payment has been fully refunded already');
    if (!payment.captured)
      throw badField(undefined, 'The payment status should be captured for action to be taken');
    const left = payment.amount - payment.amount_refunded;
    if (amount !== undefined && amount > left)
      throw badField('amount', 'The total refund amount is greater than the refund payment amount');
    const made = this.#writeNew(this.refunds, {
      id: newId('rfnd'),
      entity: 'refund',
      amount: amount ?? left,
      currency: payment.currency,
      payment_id: payment.id,
      ...asked,
      acquirer_data: { arn: null },
      created_at: nowS(),
      batch_id: null,
      status: this.takesRefunds,
      speed_processed: 'normal',
      speed_requested: speed,
      ...(key === undefined ? {} : { key }),
    });
    return shownRefund(made);
  }
}

/** As in the API's responses; a refund or dispute that a test has added to the ledger lacks some fields. */
const shownRefund = ({ key: _, ...refund }: Refund): Refund =>
  Object.assign({ entity: 'refund', status: 'processed', created_at: nowS() }, refund);
const shownDispute = (dispute: Dispute): Dispute =>
  Object.assign({ entity: 'dispute', created_at: nowS() }, dispute);

function unknownId(): never {
  throw new RazorpayError(400, { description: 'The id provided does not exist', source: 'business' });
}
