import { SERVICE_NAMES, type ServiceName } from '@karaar/contracts/services';
import { Breaker, ServiceGate } from '../shedding/index.ts';
import { Client, Pool, type Dispatcher } from 'undici';
import type { GatewayConfig } from '../config.ts';

const TITLES = {
  auth: 'The sign-in service',
  documents: 'The documents service',
  payments: 'The payment service',
  wallet: 'The wallet service',
  messaging: 'The chat service',
  vision: 'The photo check',
  cms: 'The page service',
  notifications: 'The notification service',
  sandbox: 'The sandbox',
} as const satisfies Record<ServiceName | 'sandbox', string>;

const CONNECT_MS = 2_000;
/**
 * Time after which the gateway closes an idle connection. It is shorter than the time for which a stopping service
 * still answers (`DRAIN_WAIT_MS`), because a request that meets a closing connection fails.
 */
const IDLE_MS = 3_000;

/** A service behind the gateway: its connections, concurrency limit and circuit breaker. */
export class Upstream {
  readonly name: keyof typeof TITLES;
  readonly title: string;
  readonly url: URL;
  readonly pool: Pool;
  readonly gate: ServiceGate;
  readonly breaker = new Breaker();
  readonly #client: Client.Options;

  /** @param silenceMs time without data after which an answer counts as dead; above every route's deadline */
  constructor(name: keyof typeof TITLES, url: string, config: GatewayConfig, silenceMs: number) {
    const connections = config.UPSTREAM_CONNECTIONS;
    this.name = name;
    this.title = TITLES[name];
    this.url = new URL(url);
    this.gate = new ServiceGate({
      targetMs: config.QUEUE_TARGET_MS,
      maxQuick: config.UPSTREAM_MAX_IN_FLIGHT,
      // The other connections stay free for quick requests.
      maxLong: Math.ceil(connections / 2),
    });
    // The caller enforces the request's deadline, which includes the wait for a connection.
    const timeouts = { headersTimeout: 0, bodyTimeout: silenceMs, connect: { timeout: CONNECT_MS } };
    const idle = { keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS };
    this.#client = { pipelining: 1, ...timeouts, ...idle };
    this.pool = new Pool(this.url, { ...this.#client, connections });
  }

  afresh(ask: (service: Dispatcher) => void): void {
    const client = new Client(this.url, this.#client);
    ask(client);
    void client.close();
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }
}

export type Upstreams = Readonly<Record<ServiceName, Upstream> & { sandbox?: Upstream }>;

/**
 * Returns an upstream for each service, and for the sandbox if its URL is set; no connection is opened yet.
 * @param silenceMs as for `Upstream`
 */
export function createUpstreams(config: GatewayConfig, silenceMs: number): Upstreams {
  const names = config.SANDBOX_URL === undefined ? SERVICE_NAMES : ([...SERVICE_NAMES, 'sandbox'] as const);
  const made = names.map((name) => {
    const variable = `${name.toUpperCase() as Uppercase<typeof name>}_URL` as const;
    return [name, new Upstream(name, config[variable] ?? '', config, silenceMs)];
  });
  return Object.fromEntries(made) as Upstreams;
}
