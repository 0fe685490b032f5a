/** Consuming one event by one handler: durable, once per event, with dead letters. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventContract, EventData } from '@karaar/contracts/kit';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Kysely } from 'kysely';
import { inSpan, withTraceparent } from '../telemetry/index.ts';
import { parseEnvelope } from './envelope.ts';
import { applyOnce, bury, deadLetters, forgetDeadLetter, pruneInbox, type Handle } from './inbox.ts';
import type { Link } from './link.ts';
import { handled } from './metrics.ts';
import { durableOf, serviceOf, streamOf } from './names.ts';
import { isPoison } from './poison.ts';
import { ensureConsumer, ensureStream, STREAM_DAYS } from './streams.ts';
import { WorkQueue } from './work-queue.ts';

export type ConsumeOptions<DB, E extends EventContract> = {
  db: Kysely<DB>;
  event: E;
  /** Names the effect; with the event's id it makes the effect happen once. Unique in the service. */
  handlerName: string;
  /** Applies the event through `tx`. No network calls in here. Errors: see PoisonMessage. */
  handle: Handle<DB, EventData<E>>;
  /** Events at a time in this process; 1 when not given, which keeps the order of the stream. */
  concurrency?: number;
  /** Deliveries until an event becomes a dead letter; 30 when not given, about 25 minutes. */
  maxDeliveries?: number;
  /** Milliseconds to wait after the nth failed delivery; 1 s doubled up to 60 s when not given. */
  backoffMs?: (delivery: number) => number;
  /** Milliseconds that one run of the handler may take; 60 s when not given. */
  handlerTimeoutMs?: number;
  /** Milliseconds after which the broker gives an event of a vanished process to another; 30 s. */
  ackWaitMs?: number;
};

export type Consumption = {
  /** Applies this handler's dead letters again; those that fail stay. */
  retryDeadLetters(): Promise<{ applied: number; failed: number }>;
  /** Takes no more events and waits for the handlers under way. */
  stop(): Promise<void>;
};

const PREFETCH = 16;
const HOUR = 60 * 60 * 1_000;
/** Longer than an event can come back: its time in the stream and the outbox, and a dead letter's rest. */
const INBOX_DAYS = STREAM_DAYS * 3;

export class EventConsumer<DB, E extends EventContract> implements Consumption {
  readonly #link: Link;
  readonly #options: ConsumeOptions<DB, E>;
  readonly #stream: string;
  readonly #durable: string;
  readonly #ackWaitMs: number;
  readonly #queue: WorkQueue<JsMsg>;
  readonly #stopping = new AbortController();
  readonly #loop: Promise<void>;
  readonly #timers: NodeJS.Timeout[];
  readonly #off: () => void;
  #batch: ConsumerMessages | undefined;
  #ready: () => void = () => undefined;
  /** Resolves when the broker has the consumer. */
  readonly ready = new Promise<void>((resolve) => (this.#ready = resolve));

  constructor(link: Link, options: ConsumeOptions<DB, E>) {
    this.#link = link;
    this.#options = options;
    this.#stream = streamOf(options.event.subject);
    this.#durable = durableOf(link.name, options.handlerName, options.event);
    this.#ackWaitMs = options.ackWaitMs ?? 30_000;
    this.#queue = new WorkQueue(options.concurrency ?? 1, (message) => this.#process(message));
    // What is held here must not be given to another process meanwhile.
    const beat = setInterval(() => this.#each((message) => message.working()), this.#ackWaitMs / 3);
    const prune = setInterval(() => void this.#prune(), HOUR);
    this.#timers = [beat.unref(), prune.unref()];
    this.#off = link.onState(() => this.#batch?.stop());
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#off();
    this.#batch?.stop();
    await this.#loop;
    for (const message of this.#queue.abandon()) this.#settle(() => message.nak());
    await this.#queue.settled();
    for (const timer of this.#timers) clearInterval(timer);
  }

  async retryDeadLetters(): Promise<{ applied: number; failed: number }> {
    const { db, event, handlerName, handle } = this.#options;
    const outcome = { applied: 0, failed: 0 };
    for (const letter of await deadLetters(db, handlerName)) {
      try {
        const envelope = parseEnvelope(event, letter.message);
        await applyOnce(db, handlerName, envelope, handle);
        await forgetDeadLetter(db, handlerName, letter.event_id);
        outcome.applied += 1;
      } catch (error) {
        this.#link.logger.warn(
          { err: error, handler: handlerName, event: letter.event_id },
          'still a dead letter',
        );
        outcome.failed += 1;
      }
    }
    return outcome;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      try {
        if (!(await this.#link.connectedWithin(1_000))) continue;
        await this.#ensure();
        failures = 0;
        await this.#read();
      } catch (error) {
        if (this.#link.state === 'closed') return;
        failures += 1;
        this.#link.logger.warn({ err: error, durable: this.#durable }, 'consumer will be set up again');
        await this.#pause(Math.min(5_000, 100 * 2 ** failures));
      }
    }
  }

  async #ensure(): Promise<void> {
    const { event } = this.#options;
    await ensureStream(this.#link, this.#stream, serviceOf(event.subject));
    await ensureConsumer(this.#link, this.#stream, {
      durable: this.#durable,
      subject: event.subject,
      ackWaitMs: this.#ackWaitMs,
    });
    this.#ready();
  }

  /** Reads until stopped, or until the connection has changed: then the consumer may be gone. */
  async #read(): Promise<void> {
    const { epoch } = this.#link;
    const consumer = await this.#link.js.consumers.get(this.#stream, this.#durable);
    while (!this.#stopping.signal.aborted && this.#link.state === 'connected' && this.#link.epoch === epoch) {
      this.#batch = await consumer.fetch({ max_messages: PREFETCH, expires: 10_000 });
      if (this.#stopping.signal.aborted) return this.#batch.stop();
      for await (const message of this.#batch) this.#queue.push(message);
      await this.#queue.below(PREFETCH / 2);
    }
  }

  async #process(message: JsMsg): Promise<void> {
    const { db, event, handlerName, handle } = this.#options;
    try {
      const envelope = parseEnvelope(event, message.string());
      const applied = await withTraceparent(envelope.traceparent, () =>
        inSpan(`${handlerName} ${event.type}`, { kind: 'CONSUMER' }, () =>
          this.#inTime(applyOnce(db, handlerName, envelope, handle)),
        ),
      );
      this.#count(applied ? 'applied' : 'duplicate');
      this.#settle(() => message.ack());
    } catch (error) {
      await this.#failed(message, error);
    }
  }

  async #failed(message: JsMsg, error: unknown): Promise<void> {
    const { handlerName: handler, maxDeliveries = 30 } = this.#options;
    const delivery = message.info.deliveryCount;
    const context = { err: error, handler, delivery, seq: message.seq };
    if (isPoison(error) || delivery >= maxDeliveries) {
      try {
        await this.#bury(message, error);
        this.#link.logger.error(context, 'event became a dead letter');
        this.#count('dead');
        this.#settle(() => message.term());
        return;
      } catch (fault) {
        this.#link.logger.error({ ...context, fault }, 'dead letter could not be written');
      }
    } else {
      this.#link.logger.warn(context, 'event will be tried again');
    }
    this.#count('retry');
    this.#settle(() => message.nak(this.#backoff(delivery)));
  }

  async #bury(message: JsMsg, error: unknown): Promise<void> {
    await bury(this.#options.db, {
      // The outbox publishes with the event's id as message id; a foreign message has its place only.
      eventId: message.headers?.get('Nats-Msg-Id') || `${this.#stream}:${message.seq}`,
      handler: this.#options.handlerName,
      subject: message.subject,
      message: message.string(),
      reason: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown',
      deliveries: message.info.deliveryCount,
    });
  }

  #backoff(delivery: number): number {
    return this.#options.backoffMs?.(delivery) ?? Math.min(60_000, 1_000 * 2 ** (delivery - 1));
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const limit = this.#options.handlerTimeoutMs ?? 60_000;
    const done = new AbortController();
    const late = sleep(limit, undefined, { signal: done.signal }).then(() => {
      // Should it commit after all, the inbox makes the next delivery a duplicate.
      throw new Error(`handler took longer than ${limit} ms`);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      done.abort();
      late.catch(() => undefined);
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** A word to the broker about a message; when it is lost, the message comes again. */
  #settle(say: () => void): void {
    try {
      say();
    } catch (error) {
      this.#link.logger.warn({ err: error, durable: this.#durable }, 'the broker could not be told');
    }
  }

  #each(say: (message: JsMsg) => void): void {
    for (const message of this.#queue.held()) this.#settle(() => say(message));
  }

  #count(outcome: 'applied' | 'duplicate' | 'retry' | 'dead'): void {
    handled.inc({ service: this.#link.name, handler: this.#options.handlerName, outcome });
  }

  async #prune(): Promise<void> {
    try {
      await pruneInbox(this.#options.db, this.#options.handlerName, INBOX_DAYS);
    } catch (error) {
      this.#link.logger.warn({ err: error }, 'inbox could not be pruned');
    }
  }
}
