/**
 * Reading a durable consumer: one subscription that requests more as events are handled.
 *
 * The client library's own readers drop events on their way when they are stopped; the broker then waits 30 s before
 * it gives those events to another process, so every deployment would delay some. Here the subscription is drained,
 * and events that still arrive are returned at once.
 */
import { inboxOf } from '@karaar/contracts/broker/names';
import { createInbox, nanos, type Msg, type Subscription } from '@nats-io/transport-node';
import type { Link } from '../link.ts';

/** How long one request for events stays with the broker. */
const EXPIRES_MS = 30_000;
/** How often the broker confirms that it still has the request. */
const HEARTBEAT_MS = 5_000;
/** Silence after which consumer or connection are taken to be gone. */
const SILENCE_MS = 12_500;

/** One delivery of one event, and its possible acknowledgements. */
export class Delivery {
  readonly #message: Msg;
  readonly #isCurrent: () => boolean;
  /** The number of this delivery of the event; 1 for the first. */
  readonly count: number;
  /** Place in the stream. */
  readonly seq: number;
  /** How many events wait behind it. */
  readonly pending: number;

  /**
   * @param isCurrent whether this position still means this event at the broker; if not, nothing is acknowledged: a
   *   stream that was created again has other events at the same positions
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

  /** Done. */
  ack(): void {
    this.#reply('+ACK');
  }

  /** To be delivered again, after this many milliseconds. */
  nak(delayMs = 0): void {
    this.#reply(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}` : '-NAK');
  }

  /** Still being worked on: restarts the broker's ack_wait. */
  working(): void {
    this.#reply('+WPI');
  }

  /** Never to be delivered again. */
  term(): void {
    this.#reply('+TERM');
  }

  #reply(word: string): void {
    if (this.#isCurrent()) this.#message.respond(word);
  }
}

export type Receiver = {
  onDelivery(delivery: Delivery): void;
  /** A request has run out; there may be room for another. */
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
  /** Resolves with the reason when the consumer has to be set up again, or when it was told to end. */
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

  /** Events that the broker has been asked for and has not sent. */
  get asked(): number {
    return this.#asked;
  }

  /** Asks for more events. */
  ask(count: number): void {
    if (this.#state !== 'reading') return;
    if (this.#asked === 0) this.#heard = performance.now();
    const request = { batch: count, expires: nanos(EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) };
    this.#asked += count;
    this.#link.nc.publish(this.#subject, JSON.stringify(request), { reply: this.#inbox });
  }

  /** Asks for no more and makes `ended` resolve. What was delivered can still be answered. */
  end(): void {
    if (this.#state === 'reading') this.#state = 'ending';
    this.#resolve('told to end');
  }

  #break(reason: string): void {
    this.#state = 'broken';
    this.#resolve(reason);
  }

  /** Accepts events on their way, and no more. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    this.#off();
    if (this.#link.state === 'connected') await this.#subscription.drain();
    else this.#subscription.unsubscribe();
  }

  #receive(message: Msg): void {
    this.#heard = performance.now();
    const code = message.headers?.code ?? 0;
    // A status has the inbox as its subject, an event the subject that it was published to.
    if (message.subject !== this.#inbox || code === 0) {
      this.#asked = Math.max(0, this.#asked - 1);
      this.#to.onDelivery(new Delivery(message, () => this.#state !== 'broken'));
    } else if (code === 408 || code === 404) {
      // It says how many events of the request were not sent.
      const left = Number(message.headers?.get('Nats-Pending-Messages') || this.#asked);
      this.#asked = Math.max(0, this.#asked - left);
      this.#to.onRoom();
    } else if (code !== 100) {
      this.#break(`${code} ${message.headers?.description ?? ''}`);
    }
  }
}
