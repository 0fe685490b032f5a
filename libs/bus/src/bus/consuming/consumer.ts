/** Applies one type of event with one handler: durable, once per event, with dead letters. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventContract } from '@karaar/contracts/kit';
import type { Kysely } from 'kysely';
import { inSpan, withTraceparent } from '@karaar/observability/telemetry';
import { applyMany, applyOne, type Effect, type Outcome } from './effect.ts';
import { parseEnvelope } from '../envelope.ts';
import { bury, deadLetters, forgetDeadLetters, noteRetry, reasonOf } from './inbox.ts';
import type { Link } from '../link.ts';
import { backlog, handled } from '../metrics.ts';
import { durableOf, streamOf } from '../names.ts';
import { isPoison } from './poison.ts';
import { Pull, type Delivery } from './pull.ts';
import { ensureConsumer } from '../streams.ts';
import { WorkQueue } from './work-queue.ts';

export type ConsumeOptions<DB, E extends EventContract, Found = undefined> = ConsumeSettings<DB, E> &
  Effect<DB, E, Found>;

export type ConsumeSettings<DB, E extends EventContract> = {
  db: Kysely<DB>;
  event: E;
  /** Identifies the effect in the inbox, so that each event has it once. Unique in the service. */
  handlerName: string;
  /** Concurrent events in this process; 1 by default, which keeps the order of the stream. */
  concurrency?: number;
  /** Deliveries until an event becomes a dead letter; 30 by default, about 25 minutes. */
  maxDeliveries?: number;
  /** Milliseconds to wait after the nth failed delivery; by default 1 s, doubled up to 60 s. */
  backoffMs?: (delivery: number) => number;
  /** Time limit in milliseconds for one run of the handler; 60 s by default. */
  handlerTimeoutMs?: number;
  /** Milliseconds after which the broker redelivers the event of a vanished process; 30 s by default. */
  ackWaitMs?: number;
};

export type Consumption = {
  /** Retries this handler's dead letters, or the one of an event; those that fail again are kept. */
  retryDeadLetters(eventId?: string): Promise<{ applied: number; failed: number }>;
  stop(): Promise<void>;
};

const MANY = 100;
/** Minimum milliseconds between two batched transactions, so that events collect under load. */
const BATCHING = { paceMs: 40, busyPaceMs: 200 };

export class EventConsumer<DB, E extends EventContract, Found = undefined> implements Consumption {
  readonly #link: Link;
  readonly #options: ConsumeOptions<DB, E, Found>;
  readonly #stream: string;
  readonly #durable: string;
  readonly #ackWaitMs: number;
  readonly #prefetch: number;
  readonly #queue: WorkQueue<Delivery>;
  readonly #stopping = new AbortController();
  readonly #loop: Promise<void>;
  readonly #beat: NodeJS.Timeout;
  #pull: Pull | undefined;
  #ready: () => void = () => undefined;
  readonly ready = new Promise<void>((resolve) => (this.#ready = resolve));

  constructor(link: Link, options: ConsumeOptions<DB, E, Found>) {
    this.#link = link;
    this.#options = options;
    this.#stream = streamOf(options.event.subject);
    this.#durable = durableOf(link.name, options.handlerName, options.event);
    this.#ackWaitMs = options.ackWaitMs ?? 30_000;
    const concurrency = options.concurrency ?? 1;
    const many = options.handleMany ? { most: MANY, ...BATCHING } : { most: 1 };
    this.#prefetch = 16 + 2 * concurrency * many.most;
    this.#queue = new WorkQueue({
      concurrency,
      ...many,
      work: async (deliveries) => {
        this.#refill();
        await this.#process(deliveries);
      },
    });
    // Stops the broker from redelivering events that this process holds.
    const beat = setInterval(() => this.#each((delivery) => delivery.working()), this.#ackWaitMs / 3);
    this.#beat = beat.unref();
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#queue.close();
    this.#pull?.end();
    await this.#loop;
    await this.#giveBack(this.#queue.abandon());
    await this.#queue.settled();
    clearInterval(this.#beat);
  }

  async retryDeadLetters(eventId?: string): Promise<{ applied: number; failed: number }> {
    const { db, event, handlerName } = this.#options;
    const outcome = { applied: 0, failed: 0 };
    for (const letter of await deadLetters(db, handlerName, event.subject, eventId)) {
      try {
        const envelope = parseEnvelope(event, letter.message);
        await this.#inTime(applyOne(this.#options, this.#options, envelope));
        await forgetDeadLetters(db, { handler: handlerName, event: letter.event_id });
        outcome.applied += 1;
      } catch (error) {
        this.#link.logger.warn(
          { err: error, handler: handlerName, event: letter.event_id },
          'still a dead letter',
        );
        await noteRetry(db, { handler: handlerName, eventId: letter.event_id, reason: reasonOf(error) });
        outcome.failed += 1;
      }
    }
    return outcome;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping.signal.aborted && this.#link.state !== 'closed') {
      try {
        if (!(await this.#link.connectedWithin(1_000))) continue;
        await this.#ensure();
        failures = 0;
        await this.#read();
        await this.#pause(50);
      } catch (error) {
        failures += 1;
        this.#link.logger.warn({ err: error, durable: this.#durable }, 'consumer will be set up again');
        await this.#pause(Math.min(5_000, 100 * 2 ** failures));
      }
    }
  }

  async #ensure(): Promise<void> {
    const { event, handlerName: handler } = this.#options;
    await ensureConsumer(this.#link, { event, handler, ackWaitMs: this.#ackWaitMs });
    this.#ready();
  }

  /** Reads until stopped, or until the connection or the consumer is gone. */
  async #read(): Promise<void> {
    const pull = new Pull(this.#link, this.#stream, this.#durable, {
      onDelivery: (delivery) => this.#queue.push(delivery),
      onRoom: () => this.#refill(),
    });
    this.#pull = pull;
    try {
      if (this.#stopping.signal.aborted) return;
      this.#refill();
      const reason = await pull.ended;
      this.#link.logger.debug({ durable: this.#durable, reason }, 'consumer stopped reading');
    } finally {
      this.#pull = undefined;
      await pull.close();
    }
  }

  /** Returns unstarted events, so that other processes get them at once. */
  async #giveBack(deliveries: Delivery[]): Promise<void> {
    if (deliveries.length === 0 || this.#link.state !== 'connected') return;
    // A state request makes the broker drop pull requests without a listener. Otherwise nats-server 2.9
    // delivers the first event to such a request and then waits for ack_wait.
    await this.#link.jsm.consumers.info(this.#stream, this.#durable).catch(() => undefined);
    for (const delivery of deliveries) this.#settle(() => delivery.nak());
  }

  /** Prefetches a few events, so that no worker waits for the broker. */
  #refill(): void {
    const pull = this.#pull;
    if (!pull) return;
    const ahead = this.#queue.waiting + pull.asked;
    if (ahead <= this.#prefetch / 2) this.#settle(() => pull.ask(this.#prefetch - ahead));
  }

  async #process(deliveries: Delivery[]): Promise<void> {
    const [first] = deliveries;
    if (!first) return;
    backlog.set({ service: this.#link.name, handler: this.#options.handlerName }, first.pending);
    if (deliveries.length > 1 && (await this.#processMany(deliveries))) return;
    for (const delivery of deliveries) await this.#processOne(delivery);
  }

  async #processOne(delivery: Delivery): Promise<void> {
    const { event, handlerName } = this.#options;
    try {
      const envelope = parseEnvelope(event, delivery.text());
      const outcome = await withTraceparent(envelope.traceparent, () =>
        inSpan(`${handlerName} ${event.type}`, { kind: 'CONSUMER' }, () =>
          this.#inTime(applyOne(this.#options, this.#options, envelope)),
        ),
      );
      this.#applied(delivery, outcome);
    } catch (error) {
      await this.#failed(delivery, error);
    }
  }

  /**
   * Applies all in one transaction. Returns false on failure; the events then run one by one to isolate the
   * faulty one.
   */
  async #processMany(deliveries: Delivery[]): Promise<boolean> {
    const { event, handlerName, concerns, lookUp, handleMany } = this.#options;
    if (!handleMany) return false;
    try {
      const envelopes = deliveries.map((delivery) => parseEnvelope(event, delivery.text()));
      const outcomes = await inSpan(`${handlerName} ${event.type}`, { kind: 'CONSUMER' }, () =>
        this.#inTime(applyMany(this.#options, { concerns, lookUp, handleMany }, envelopes)),
      );
      deliveries.forEach((delivery, i) => this.#applied(delivery, outcomes[i] ?? 'applied'));
      return true;
    } catch (error) {
      this.#link.logger.warn(
        { err: error, handler: handlerName, events: deliveries.length },
        'events will be applied one by one',
      );
      return false;
    }
  }

  #applied(delivery: Delivery, outcome: Outcome): void {
    this.#count(outcome);
    this.#settle(() => delivery.ack());
  }

  async #failed(delivery: Delivery, error: unknown): Promise<void> {
    const { handlerName: handler, maxDeliveries = 30 } = this.#options;
    const context = { err: error, handler, delivery: delivery.count, seq: delivery.seq };
    if (isPoison(error) || delivery.count >= maxDeliveries) {
      try {
        await this.#bury(delivery, error);
        this.#link.logger.error(context, 'event became a dead letter');
        this.#count('dead');
        this.#settle(() => delivery.term());
        return;
      } catch (fault) {
        this.#link.logger.error({ ...context, fault }, 'dead letter could not be written');
      }
    } else {
      this.#link.logger.warn(context, 'event will be tried again');
    }
    this.#count('retry');
    this.#settle(() => delivery.nak(this.#backoff(delivery.count)));
  }

  async #bury(delivery: Delivery, error: unknown): Promise<void> {
    await bury(this.#options.db, {
      // The outbox publishes with the event's id as message id; other messages have only their sequence
      // number.
      eventId: delivery.messageId || `${this.#stream}:${delivery.seq}`,
      handler: this.#options.handlerName,
      subject: delivery.subject,
      message: delivery.text(),
      reason: reasonOf(error),
      deliveries: delivery.count,
    });
  }

  #backoff(delivery: number): number {
    return this.#options.backoffMs?.(delivery) ?? Math.min(60_000, 1_000 * 2 ** (delivery - 1));
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const limit = this.#options.handlerTimeoutMs ?? 60_000;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      // If the handler commits after all, the inbox makes the next delivery a duplicate.
      timer = setTimeout(() => reject(new Error(`handler took longer than ${limit} ms`)), limit);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Sends an acknowledgement. If it is lost, the broker redelivers the message. */
  #settle(answer: () => void): void {
    try {
      answer();
    } catch (error) {
      this.#link.logger.warn({ err: error, durable: this.#durable }, 'the broker could not be told');
    }
  }

  #each(answer: (delivery: Delivery) => void): void {
    for (const delivery of this.#queue.held()) this.#settle(() => answer(delivery));
  }

  #count(outcome: Outcome | 'retry' | 'dead'): void {
    handled.inc({ service: this.#link.name, handler: this.#options.handlerName, outcome });
  }
}
