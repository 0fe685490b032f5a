/** The relay publishes outbox events to the broker and retries until the broker acknowledges them. */
import type { Kysely } from 'kysely';
import { AppError } from '@karaar/base/errors';
import { startWorker, type Worker } from '@karaar/base/worker';
import { ensureContinuity, knownStreams } from '../consuming/continuity.ts';
import type { BusLogger, Link } from '../link.ts';
import { oldestUnpublished, parked, published, publishFailures, unpublished } from '../metrics.ts';
import { serviceOf, streamOf } from '../names.ts';
import {
  claim,
  markPublished,
  markUnknown,
  outboxState,
  toEnvelope,
  type Acknowledged,
  type OutboxRow,
  type Unknown,
} from './outbox-store.ts';

export type RelayOptions = {
  logger: BusLogger;
  batch: number;
  leaseMs: number;
  pollMs: number;
  /**
   * Minimum milliseconds between two rounds, so that events form batches under load; after an idle period a
   * round starts at once. After a busy round, `busyPaceMs` applies.
   */
  paceMs: number;
  busyPaceMs: number;
  maxAttempts: number;
  publishTimeoutMs: number;
  backoffMs: (attempt: number) => number;
};

const BUSY = 4;
const RECHECK_MS = 60_000;
const METRICS_MS = 15_000;

export class Relay<DB> {
  readonly #db: Kysely<DB>;
  readonly #link: Link;
  readonly #options: RelayOptions;
  /** Stream → its creation time, if checked since the last (re)connection. */
  readonly #checked = new Map<string, Promise<string>>();
  #checkedEpoch = 0;
  readonly #due = { recheck: 0, metrics: 0 };
  #worker: Worker | undefined;
  #lastRound = 0;

  constructor(db: Kysely<DB>, link: Link, options: RelayOptions) {
    this.#db = db;
    this.#link = link;
    this.#options = options;
  }

  start(): void {
    const { pollMs, paceMs, busyPaceMs, logger } = this.#options;
    this.#worker ??= startWorker({
      restMs: pollMs,
      paceMs: () => (this.#lastRound >= BUSY ? busyPaceMs : paceMs),
      turn: () => this.#round(),
      onError: (err) => logger.warn({ err }, 'outbox relay will try again'),
    });
  }

  async stop(): Promise<void> {
    await this.#worker?.stop();
    this.#worker = undefined;
  }

  wake(): void {
    this.#worker?.wake();
  }

  async #round(): Promise<boolean> {
    if (this.#link.state === 'closed') return false;
    await this.#upkeep();
    if (!(await this.#link.connectedWithin(this.#options.pollMs))) return false;
    await this.#recheck();
    const rows = await claim(this.#db, this.#options.batch, this.#options.leaseMs);
    this.#lastRound = rows.length;
    if (rows.length === 0) return false;
    const results = await Promise.all(rows.map((row) => this.#publish(row)));
    const acks = results.filter((result) => 'seq' in result);
    const faults = results.filter((result) => 'reason' in result);
    await markPublished(this.#db, acks);
    await markUnknown(this.#db, faults);
    published.inc({ service: this.#link.name }, acks.length);
    publishFailures.inc({ service: this.#link.name }, faults.length);
    return rows.length === this.#options.batch;
  }

  async #publish(row: OutboxRow): Promise<Acknowledged | Unknown> {
    const { publishTimeoutMs: timeout, maxAttempts, backoffMs } = this.#options;
    const stream = streamOf(row.subject);
    const { epoch } = this.#link;
    try {
      const created = await this.#checkedStream(stream, serviceOf(row.subject));
      const payload = JSON.stringify(toEnvelope(row));
      const ack = await this.#link.js.publish(row.subject, payload, { msgID: row.id, timeout });
      return { id: row.id, stream, created, seq: ack.seq };
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
      this.#options.logger.warn(
        { err: error, event: row.id, attempt: row.attempts },
        'event may be unpublished',
      );
      this.#checked.delete(stream);
      // An outage of the broker or of the broker admin is not the event's fault, so it does not count as an
      // attempt.
      const away = error instanceof AppError && error.status === 503;
      const outage = away || this.#link.state !== 'connected' || this.#link.epoch !== epoch;
      return {
        id: row.id,
        reason,
        retryInMs: away ? this.#options.pollMs : outage ? 0 : backoffMs(row.attempts),
        park: !outage && row.attempts >= maxAttempts,
        countAttempt: !outage,
      };
    }
  }

  /** Checks known streams after each reconnection and periodically, before publishing. */
  async #recheck(): Promise<void> {
    const now = Date.now();
    if (this.#checkedEpoch === this.#link.epoch && now < this.#due.recheck) return;
    const { epoch } = this.#link;
    this.#checked.clear();
    for (const stream of await knownStreams(this.#db)) {
      await this.#checkedStream(stream, stream.slice('EVT_'.length).toLowerCase().replaceAll('_', '-'));
    }
    this.#checkedEpoch = epoch;
    this.#due.recheck = now + RECHECK_MS;
  }

  #checkedStream(stream: string, service: string): Promise<string> {
    let created = this.#checked.get(stream);
    if (!created) {
      created = ensureContinuity(this.#db, this.#link, stream, service);
      this.#checked.set(stream, created);
    }
    return created;
  }

  async #upkeep(): Promise<void> {
    const now = Date.now();
    if (now >= this.#due.metrics) {
      this.#due.metrics = now + METRICS_MS;
      const state = await outboxState(this.#db);
      const labels = { service: this.#link.name };
      unpublished.set(labels, state.unpublished);
      parked.set(labels, state.parked);
      oldestUnpublished.set(labels, state.oldestSeconds);
      if (state.parked > 0) this.#options.logger.error({ parked: state.parked }, 'outbox has parked events');
    }
  }
}
