import type { ServiceName } from '@karaar/contracts/services';
import { Breaker, ServiceGate } from '@karaar/platform/shedding';
import { Client, Pool, type Dispatcher } from 'undici';

/** Each service as an error text calls it. */
export const SERVICE_TITLES: Readonly<Record<ServiceName | 'sandbox', string>> = {
  auth: 'The sign-in service',
  documents: 'The documents service',
  payments: 'The payment service',
  wallet: 'The wallet service',
  messaging: 'The chat service',
  vision: 'The photo check',
  cms: 'The page service',
  sandbox: 'The sandbox',
};

export type UpstreamOptions = {
  name: ServiceName | 'sandbox';
  url: string;
  /** Sockets to the service at most. */
  connections: number;
  /** Quick requests that may be under way at once, however well it goes. */
  maxInFlight: number;
  /** Milliseconds in which most quick requests may wait for others. */
  queueTargetMs: number;
  /** Silence of the service within an answer that counts as dead; above every route's deadline. */
  idleTimeoutMs: number;
};

const CONNECT_MS = 2_000;

/** One service behind the gateway: its connections, the gate that lets in what it has room for, and its breaker. */
export class Upstream {
  readonly name: string;
  /** The service as a user would call it, at the start of a sentence: 'The wallet service'. */
  readonly title: string;
  readonly url: URL;
  readonly pool: Pool;
  readonly gate: ServiceGate;
  readonly breaker = new Breaker();
  readonly #client: Client.Options;

  constructor({ name, url, connections, maxInFlight, queueTargetMs, idleTimeoutMs }: UpstreamOptions) {
    this.name = name;
    this.title = SERVICE_TITLES[name];
    this.url = new URL(url);
    // Some of the connections stay free of those that hold one for long.
    const maxLong = Math.ceil(connections / 2);
    this.gate = new ServiceGate({ targetMs: queueTargetMs, maxQuick: maxInFlight, maxLong });
    // A request's deadline is kept by whoever sends it, who also counts the wait for a connection.
    const bodyTimeout = idleTimeoutMs;
    this.#client = { pipelining: 1, headersTimeout: 0, bodyTimeout, connect: { timeout: CONNECT_MS } };
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
