import { SERVICE_NAMES, type ServiceName } from '@karaar/contracts/services';
import { Breaker, ServiceGate } from '../shedding/index.ts';
import { Client, Pool, type Dispatcher } from 'undici';
import type { GatewayConfig } from '../config.ts';

/** The name of each service in error texts. */
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

/** One service behind the gateway: its connections, the gate that admits requests, and its circuit breaker. */
export class Upstream {
  readonly name: keyof typeof TITLES;
  /** The service's name for users, at the start of a sentence: 'The wallet service'. */
  readonly title: string;
  readonly url: URL;
  readonly pool: Pool;
  readonly gate: ServiceGate;
  readonly breaker = new Breaker();
  readonly #client: Client.Options;

  /** @param silenceMs silence of the service within an answer that counts as dead; above every route's deadline */
  constructor(name: keyof typeof TITLES, url: string, config: GatewayConfig, silenceMs: number) {
    const connections = config.UPSTREAM_CONNECTIONS;
    this.name = name;
    this.title = TITLES[name];
    this.url = new URL(url);
    this.gate = new ServiceGate({
      targetMs: config.QUEUE_TARGET_MS,
      maxQuick: config.UPSTREAM_MAX_IN_FLIGHT,
      // Some connections are kept free for quick requests.
      maxLong: Math.ceil(connections / 2),
    });
    // The caller enforces the request's deadline, which includes the wait for a connection.
    const timeouts = { headersTimeout: 0, bodyTimeout: silenceMs, connect: { timeout: CONNECT_MS } };
    this.#client = { pipelining: 1, ...timeouts };
    this.pool = new Pool(this.url, { ...this.#client, connections });
  }

  /** Opens a connection for one request only; it closes after the answer. */
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

/** Every service, and the sandbox where there is one. */
export function createUpstreams(config: GatewayConfig, silenceMs: number): Upstreams {
  const names = config.SANDBOX_URL === undefined ? SERVICE_NAMES : ([...SERVICE_NAMES, 'sandbox'] as const);
  const made = names.map((name) => {
    // The type of the environment variables' names, which `toUpperCase` loses.
    const variable = `${name.toUpperCase() as Uppercase<typeof name>}_URL` as const;
    return [name, new Upstream(name, config[variable] ?? '', config, silenceMs)];
  });
  // The keys' type, which `fromEntries` loses.
  return Object.fromEntries(made) as Upstreams;
}
