import { createHmac } from 'node:crypto';
import type { Journal } from '../journal.ts';
import { deliver, type Manner } from './deliver.ts';
import { newId, nowS, type Dispute, type Order, type Payment, type Refund } from './entities.ts';
import { ModeSwitch, type WebhookMode } from './modes.ts';

export type EventName =
  | 'payment.authorized'
  | 'payment.captured'
  | 'payment.failed'
  | 'order.paid'
  | 'refund.created'
  | 'refund.processed'
  | 'refund.failed'
  | `payment.dispute.${'created' | 'under_review' | 'won' | 'lost' | 'closed'}`;

/** The entities in a webhook, the main one first. */
type Entities = (Payment | Order | Refund | Dispute)[];

interface PendingEvent {
  id: string;
  name: EventName;
  /** The signed body, kept as text, since its signature is over exactly these bytes. */
  body: string;
  tries: number;
}

/** One delivery, for tests to inspect. */
export interface Delivery {
  event_id: string;
  event: EventName;
  mode: WebhookMode;
  /** The receiver's status, or the reason for a missing response. */
  outcome: number | string;
  at: string;
}

export interface WebhookOptions {
  url: string | undefined;
  secret: string;
  journal: Journal;
  /** Waiting time before attempt n (from 1); the provider's is minutes, a test's is short. */
  retryMs: (tries: number) => number;
  log: (text: string) => void;
}

const MAX_TRIES = 12;
const MAX_DELIVERIES = 500;
/** How long `reordered` collects webhooks if no time is given. */
const COLLECT_MS = 200;

function bodyOf(name: EventName, entities: Entities): string {
  return JSON.stringify({
    entity: 'event',
    account_id: 'acc_KaraarSandbox',
    event: name,
    contains: entities.map(({ entity }) => entity),
    payload: Object.fromEntries(entities.map((entity) => [entity.entity, { entity }])),
    created_at: nowS(),
  });
}

const EVENT_OF_PAYMENT = {
  authorized: ['payment.authorized'],
  captured: ['payment.captured', 'order.paid'],
  refunded: ['payment.captured', 'order.paid'],
  failed: ['payment.failed'],
} as const;
const EVENT_OF_REFUND = {
  pending: 'refund.created',
  processed: 'refund.processed',
  failed: 'refund.failed',
} as const;

/** Changes the amount as an attacker would; the signature stays that of the true body. */
const tamper = (body: string) =>
  body.replace(/"amount":(\d+)/g, (_, amount: string) => `"amount":${amount}00`);

/**
 * Sends signed webhooks to the wallet. Each is retried until the response is 2xx; every attempt uses the
 * current mode. The next process sends webhooks that were not delivered.
 */
export class Webhooks {
  readonly mode = new ModeSwitch<WebhookMode>();
  readonly deliveries: Delivery[] = [];
  readonly #options: WebhookOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  #held: PendingEvent[] = [];
  #stopped = false;

  constructor(options: WebhookOptions) {
    this.#options = options;
    for (const { kind, value } of options.journal.restored)
      if (kind === 'event') this.#dispatch(value as PendingEvent);
  }

  /**
   * Announces a payment attempt: `payment.captured` and `order.paid`, `payment.authorized`, or
   * `payment.failed`.
   */
  announce(order: Order, payment: Payment): void {
    for (const name of EVENT_OF_PAYMENT[payment.status])
      this.#publish(name, name === 'order.paid' ? [payment, order] : [payment]);
  }

  /** Announces the current state of a refund. */
  announceRefund(refund: Refund, payment: Payment): void {
    this.#publish(EVENT_OF_REFUND[refund.status], [refund, payment]);
  }

  announceDispute(dispute: Dispute, payment: Payment): void {
    const state = dispute.status === 'open' ? 'created' : dispute.status;
    this.#publish(`payment.dispute.${state}`, [payment, dispute]);
  }

  #publish(name: EventName, entities: Entities): void {
    if (this.#options.url === undefined) return;
    const event = { id: newId('evt'), name, body: bodyOf(name, entities), tries: 0 };
    this.#options.journal.append({ kind: 'event', id: event.id, value: event });
    this.#dispatch(event);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #after(ms: number, act: () => void): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }

  #dispatch(event: PendingEvent): void {
    const { mode, delay_ms } = this.mode.take();
    if (mode === 'off') return this.#settle(event);
    if (mode === 'late') return this.#after(delay_ms, () => void this.#try(event, mode));
    if (mode === 'reordered') return this.#hold(event, delay_ms || COLLECT_MS);
    const manner = { trickleMs: mode === 'slow' ? delay_ms : 0, cut: mode === 'reset' };
    this.#after(0, () => {
      void this.#try(event, mode, manner);
      if (mode === 'duplicate') void this.#send(event, mode);
    });
  }

  #hold(event: PendingEvent, ms: number): void {
    this.#held.push(event);
    if (this.#held.length > 1) return;
    this.#after(ms, () => {
      const backwards = this.#held.reverse();
      this.#held = [];
      void (async () => {
        for (const each of backwards) await this.#try(each, 'reordered');
      })();
    });
  }

  /** A delivery with a result: done after a 2xx, retried otherwise. */
  async #try(event: PendingEvent, mode: WebhookMode, manner: Manner = {}): Promise<void> {
    const outcome = await this.#send(event, mode, manner);
    if (this.#stopped) return;
    if (typeof outcome === 'number' && outcome >= 200 && outcome < 300) return this.#settle(event);
    const tries = event.tries + 1;
    this.#options.log(`webhook ${event.name} ${event.id}: try ${tries} of ${MAX_TRIES}: ${outcome}`);
    if (tries >= MAX_TRIES) return this.#settle(event);
    this.#after(this.#options.retryMs(tries), () => this.#dispatch({ ...event, tries }));
  }

  async #send(event: PendingEvent, mode: WebhookMode, manner: Manner = {}): Promise<number | string> {
    const { url, secret } = this.#options;
    if (url === undefined) return 'no URL';
    const outcome = await deliver(
      {
        url,
        body: Buffer.from(mode === 'tampered' ? tamper(event.body) : event.body),
        headers: {
          'user-agent': 'Razorpay-Webhook/v1',
          'x-razorpay-event-id': event.id,
          'x-razorpay-signature': createHmac('sha256', secret).update(event.body).digest('hex'),
        },
      },
      manner,
    );
    this.deliveries.push({
      event_id: event.id,
      event: event.name,
      mode,
      outcome,
      at: new Date().toISOString(),
    });
    if (this.deliveries.length > MAX_DELIVERIES) this.deliveries.shift();
    return outcome;
  }

  /** Delivered, or given up: the next process must not send it. */
  #settle(event: PendingEvent): void {
    this.#options.journal.append({ kind: 'event', id: event.id, value: null });
  }
}
