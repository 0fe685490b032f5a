import { Lines } from '../lines/lines.ts';
import { ServiceGate } from '../shedding/service-gate.ts';

export type UpstreamOptions = {
  name: string;
  /** The service as a user would call it, at the start of a sentence: 'The wallet service'. */
  title: string;
  url: string;
  /** Sockets to the service at most. */
  connections: number;
  /** Quick requests that may be under way at once, however well it goes. */
  maxInFlight: number;
  /** Milliseconds in which most quick requests may wait for others. */
  queueTargetMs: number;
  connectTimeoutMs: number;
  /** Silence of the service within an answer that counts as dead; above every route's deadline. */
  idleTimeoutMs: number;
};

/** Faults in a row that open the breaker, and how long it stays open before one request may probe. */
const FAULTS_TO_OPEN = 10;
const OPEN_MS = 1_000;

/**
 * One service behind the gateway: its connections, the gate that lets in what it has room for, and a breaker
 * that answers at once instead of queueing on a service that does not answer. Any answer at all
 * (also a 5xx) closes the breaker: it guards against silence, not against errors.
 */
export class Upstream {
  readonly name: string;
  readonly title: string;
  readonly url: URL;
  readonly lines: Lines;
  readonly gate: ServiceGate;
  /** What those are told who find no room, in ASCII: it is said most often when there is no time. */
  readonly busyBody: string;
  #faults = 0;
  #openUntil = 0;

  constructor(options: UpstreamOptions) {
    this.name = options.name;
    this.title = options.title;
    this.url = new URL(options.url);
    this.gate = new ServiceGate({
      targetMs: options.queueTargetMs,
      maxQuick: options.maxInFlight,
      // Some of the connections stay free of those that hold one for long.
      maxLong: Math.ceil(options.connections / 2),
    });
    const detail = `${options.title} has too much to do right now. Please try again in a moment.`;
    this.busyBody = JSON.stringify({ detail, code: 'overloaded' });
    // The deadline of a request is kept by its exchange, which also counts the wait for a line.
    this.lines = new Lines({
      url: this.url,
      max: options.connections,
      connectTimeoutMs: options.connectTimeoutMs,
      silenceMs: options.idleTimeoutMs,
    });
  }

  /** May a request be sent now? `false` while the breaker is open. */
  admits(): boolean {
    if (this.#openUntil === 0) return true;
    const now = Date.now();
    if (now < this.#openUntil) return false;
    // Half open: this request probes, the others wait for its outcome or for the next turn.
    this.#openUntil = now + OPEN_MS;
    return true;
  }

  answered(): void {
    this.#faults = 0;
    this.#openUntil = 0;
  }

  /** The service could not be reached, cut the connection or let a deadline pass. */
  failed(): void {
    this.#faults += 1;
    if (this.#faults >= FAULTS_TO_OPEN) this.#openUntil = Date.now() + OPEN_MS;
  }

  /** Is the breaker open? Asks without taking the turn of a probe. */
  get isAway(): boolean {
    return this.#openUntil > Date.now();
  }

  close(): void {
    this.lines.close();
  }
}
