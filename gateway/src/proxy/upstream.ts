import { SERVICE_NAMES, type ServiceName } from '@karaar/contracts/services';
import { Breaker, ServiceGate } from '@karaar/platform/shedding';
import { Client, Pool, type Dispatcher } from 'undici';
import type { GatewayConfig } from '../config.ts';

/** Each service as an error text calls it. */
const TITLES = {
  auth: 'The sign-in service',
  documents: 'The documents service',
  payments: 'The payment service',
  wallet: 'The wallet service',
  messaging: 'The chat service',
  vision: 'The photo check',
  cms: 'The page service',
  sandbox: 'The sandbox',
} as const satisfies Record<ServiceName | 'sandbox', string>;

const CONNECT_MS = 2_000;

/** One service behind the gateway: its connections, the gate that lets in what it has room for, and its breaker. */
export class Upstream {
  readonly name: keyof typeof TITLES;
  /** The service as a user would call it, at the start of a sentence: 'The wallet service'. */
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
      // Some of the connections stay free of those that hold one for long.
      maxLong: Math.ceil(connections / 2),
    });
    // A request's deadline is kept by whoever sends it, who also counts the wait for a connection.
    const timeouts = { headersTimeout: 0, bodyTimeout: silenceMs, connect: { timeout: CONNECT_MS } };
    this.#client = { pipelining: 1, ...timeouts };
    this.pool = new Pool(this.url, { ...this.#client, connections });
  }

  /** Gives a connection that no other request has used and none will: it closes when what was asked is answered. */
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
    // As all variables are called; `toUpperCase` does not say so.
    const variable = `${name.toUpperCase() as Uppercase<typeof name>}_URL` as const;
    return [name, new Upstream(name, config[variable] ?? '', config, silenceMs)];
  });
  // Of these names; `fromEntries` forgets them.
  return Object.fromEntries(made) as Upstreams;
}
