/**
 * Reads a durable consumer with one subscription that requests more events as they are handled.
 *
 * The client library's readers drop events in transit when they stop. The broker then waits 30 s before it
 * redelivers them, so every deployment would delay some. This reader drains the subscription and returns late
 * events at once.
 */
import { inboxOf } from '@karaar/contracts/broker/names';
import { createInbox, nanos, type Msg, type Subscription } from '@nats-io/transport-node';
import type { Link } from '../link.ts';

const EXPIRES_MS = 30_000;
/** How often the broker confirms that it still has the request. */
const HEARTBEAT_MS = 5_000;
/** Silence after which the consumer or connection counts as gone. */
const SILENCE_MS = 12_500;

export class Delivery {
  readonly #message: Msg;
  readonly #isCurrent: () => boolean;
  /** Delivery number of the event, from 1. */
  readonly count: number;
  readonly seq: number;
  /** Number of events behind it in the stream. */
  readonly pending: number;

  /**
   * @param isCurrent returns false if the stream was created again; other events then have the same
   * positions, so nothing is acknowledged
   */
  constructor(message: Msg, isCurrent: () => boolean) {
    this.#message = message;
    this.#isCurrent = isCurrent;
    // $JS.ACK.[domain.account.]stream.consumer.count.seq.consumerSeq.time.pending[.token]
    const parts = (message.reply ?? '').split('.');
    const at = parts.length > 9 ? 6 : 4;
    [this.count, this.seq, this.pending] = [at, at + 1, at + 4].map((index) => Number(parts[index])) as [
      number,
      number,
      number,
    ];
  }

  get subject(): string {
    return this.#message.subject;
  }

  /** The id under which it was published; empty if it had none. */
  get messageId(): string {
    return this.#message.headers?.get('Nats-Msg-Id') ?? '';
  }

  text(): string {
    return this.#message.string();
  }

  ack(): void {
    this.#reply('+ACK');
  }

  nak(delayMs = 0): void {
    this.#reply(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}` : '-NAK');
  }

  /** Restarts the broker's ack_wait. */
  working(): void {
    this.#reply('+WPI');
  }

  /** Stops redelivery for good. */
  term(): void {
    this.#reply('+TERM');
  }

  #reply(word: string): void {
    if (this.#isCurrent()) this.#message.respond(word);
  }
}

export type Receiver = {
  onDelivery(delivery: Delivery): void;
  /** Called when a request has expired, so that there may be room for another. */
  onRoom(): void;
};

export class Pull {
  readonly #link: Link;
  readonly #subject: string;
  readonly #to: Receiver;
  readonly #inbox: string;
  readonly #subscription: Subscription;
  readonly #watch: NodeJS.Timeout;
  readonly #off: () => void;
  #asked = 0;
  #heard = performance.now();
  #state: 'reading' | 'ending' | 'broken' = 'reading';
  #resolve: (reason: string) => void = () => undefined;
  /** Resolves with the reason when the consumer must be created again or was ended. */
  readonly ended: Promise<string>;

  constructor(link: Link, stream: string, durable: string, to: Receiver) {
    this.#link = link;
    this.#subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`;
    this.#to = to;
    this.#inbox = createInbox(inboxOf(link.name));
    this.ended = new Promise((resolve) => (this.#resolve = resolve));
    this.#off = link.onState(() => this.#break('the connection has changed'));
    this.#subscription = link.nc.subscribe(this.#inbox, {
      callback: (error, message) => (error ? this.#break(error.message) : this.#receive(message)),
    });
    this.#watch = setInterval(() => {
      if (this.#asked > 0 && performance.now() - this.#heard > SILENCE_MS)
        this.#break('the broker is silent');
    }, 1_000).unref();
  }

  /** Number of requested events that the broker has not sent. */
  get asked(): number {
    return this.#asked;
  }

  ask(count: number): void {
    if (this.#state !== 'reading') return;
    if (this.#asked === 0) this.#heard = performance.now();
    const request = { batch: count, expires: nanos(EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) };
    this.#asked += count;
    this.#link.nc.publish(this.#subject, JSON.stringify(request), { reply: this.#inbox });
  }

  /** Stops requesting and makes `ended` resolve. Delivered events can still be acknowledged. */
  end(): void {
    if (this.#state === 'reading') this.#state = 'ending';
    this.#resolve('told to end');
  }

  #break(reason: string): void {
    this.#state = 'broken';
    this.#resolve(reason);
  }

  /** Accepts events in transit, then unsubscribes. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    this.#off();
    if (this.#link.state === 'connected') await this.#subscription.drain();
    else this.#subscription.unsubscribe();
  }

  #receive(message: Msg): void {
    this.#heard = performance.now();
    const code = message.headers?.code ?? 0;
    // The subject of a status is the inbox; the subject of an event is the one it was published to.
    if (message.subject !== this.#inbox || code === 0) {
      this.#asked = Math.max(0, this.#asked - 1);
      this.#to.onDelivery(new Delivery(message, () => this.#state !== 'broken'));
    } else if (code === 408 || code === 404) {
      // The header contains the number of requested events that were not sent.
      const left = Number(message.headers?.get('Nats-Pending-Messages') || this.#asked);
      this.#asked = Math.max(0, this.#asked - left);
      this.#to.onRoom();
    } else if (code !== 100) {
      this.#break(`${code} ${message.headers?.description ?? ''}`);
    }
  }
}
