/** A connection to the broker that reconnects without end, and its state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inboxOf } from '@karaar/contracts/broker/names';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import {
  connect,
  usernamePasswordAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import type { Logger } from '@karaar/observability/logging';

export type BusState = 'connected' | 'disconnected' | 'closed';

export type BusLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export class Link {
  readonly name: string;
  readonly logger: BusLogger;
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  #state: BusState = 'connected';
  #epoch = 1;
  #connectedAt = Number.NEGATIVE_INFINITY;
  readonly #listeners = new Set<(state: BusState) => void>();

  constructor(nc: NatsConnection, jsm: JetStreamManager, options: { name: string; logger: BusLogger }) {
    this.name = options.name;
    this.logger = options.logger;
    this.nc = nc;
    this.js = jetstream(nc);
    this.jsm = jsm;
    void this.#follow();
  }

  get state(): BusState {
    return this.#state;
  }

  /** Incremented by each reconnection, after which the broker may have lost state. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Milliseconds since the last reconnection; infinite before the first one. */
  get connectedForMs(): number {
    return performance.now() - this.#connectedAt;
  }

  /** Calls the listener on every change of state; returns a function that removes it. */
  onState(listener: (state: BusState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits until connected; returns false after `ms` or if the bus was closed. */
  async connectedWithin(ms: number): Promise<boolean> {
    if (this.#state !== 'disconnected') return this.#state === 'connected';
    const sleepAbort = new AbortController();
    let off: () => void = () => undefined;
    const change = new Promise<void>((resolve) => {
      off = this.onState((state) => state !== 'disconnected' && resolve());
    });
    try {
      await Promise.race([change, sleep(ms, undefined, { signal: sleepAbort.signal })]);
    } finally {
      off();
      sleepAbort.abort();
    }
    return this.state === 'connected';
  }

  #set(state: BusState): void {
    if (state === this.#state || this.#state === 'closed') return;
    this.#state = state;
    if (state === 'connected') {
      this.#epoch += 1;
      this.#connectedAt = performance.now();
    }
    for (const listener of [...this.#listeners]) listener(state);
  }

  async #follow(): Promise<void> {
    for await (const status of this.nc.status()) {
      if (status.type === 'disconnect') {
        this.logger.warn({ server: status.server }, 'bus disconnected');
        this.#set('disconnected');
      } else if (status.type === 'reconnect') {
        this.logger.info({ server: status.server }, 'bus connected again');
        this.#set('connected');
      } else if (status.type === 'error') {
        this.logger.error({ err: status.error }, 'bus error');
      }
    }
    this.#set('closed');
  }
}

/**
 * Splits `nats://user:password@host:port[,nats://…]` into the client's options. The password may be `old,new`, of which
 * a server accepts one while they are rotated: each attempt to connect shows the next.
 */
function addresses(url: string): NodeConnectionOptions {
  const parsed = url.split(/,(?=\w+:\/\/)/).map((one) => new URL(one));
  const servers = parsed.map((one) => one.host);
  const { username = '', password = '' } = parsed[0] ?? {};
  if (!username) return { servers };
  const passwords = password.split(',').map(decodeURIComponent);
  let attempts = 0;
  const next = (): string => passwords[attempts++ % passwords.length] ?? '';
  return {
    servers,
    authenticator: usernamePasswordAuthenticator(decodeURIComponent(username), next),
    // Otherwise the client closes after two refusals.
    ignoreAuthErrorAbort: true,
  };
}

/**
 * Connects to the broker. Waits for it without a time limit and logs every five seconds, or with `waits: false`
 * throws if it is away.
 */
export async function openLink(options: {
  url: string;
  name: string;
  logger: BusLogger;
  waits?: boolean;
}): Promise<Link> {
  const waiting = setInterval(() => options.logger.warn({}, 'waiting for the broker'), 5_000);
  try {
    const nc = await connect({
      ...addresses(options.url),
      name: options.name,
      inboxPrefix: inboxOf(options.name),
      waitOnFirstConnect: options.waits ?? true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      timeout: 5_000,
      // Detects a silently dead connection within 30 s.
      pingInterval: 10_000,
      maxPingOut: 2,
      noAsyncTraces: true,
    });
    return new Link(nc, await jetstreamManager(nc, { checkAPI: false }), options);
  } finally {
    clearInterval(waiting);
  }
}
