import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { SERVICE_NAMES, type ServiceName } from '@karaar/contracts/services';
import { createTokenVerifier } from '@karaar/http/auth';
import { listen } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { createRedis, redisReady } from '@karaar/storage/redis';
import { testRedis } from '@karaar/testing/harness';
import { startTokenIssuer, type TokenIssuer } from '@karaar/testing/people/tokens';
import { createGateway } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { redisCounts } from '../src/limits/shared-counts.ts';
import type { SharedCounts } from '../src/limits/window-counter.ts';

/** A port without a listener, like that of a killed service. */
export const DEAD_URL = 'http://127.0.0.1:1';

export type TestGateway = {
  url: string;
  gateway: ReturnType<typeof createGateway>;
  tokens: TokenIssuer;
  /** Sessions that the auth service reports as ended; all others are active. */
  revoked: Set<string>;
  /** Request listeners by service; a service without one answers 404. Tests may change them. */
  services: Partial<Record<ServiceName, RequestListener>>;
  serviceUrls: Record<ServiceName, string>;
  stop(): Promise<void>;
};

export type TestOptions = {
  env?: Record<string, string>;
  dead?: readonly ServiceName[];
  counts?: SharedCounts;
};

/** Starts a gateway on a free port, with fake services (over HTTP) and a real Redis. */
export async function startTestGateway(options: TestOptions = {}): Promise<TestGateway> {
  const logger = createLogger({ name: 'gateway-test', level: 'silent' });
  const services: TestGateway['services'] = {};
  const servers: Server[] = [];
  const serviceUrls = {} as Record<ServiceName, string>;
  for (const name of SERVICE_NAMES) {
    if (options.dead?.includes(name)) {
      serviceUrls[name] = DEAD_URL;
      continue;
    }
    const server = createServer((req, res) => {
      const listener = services[name];
      if (listener === undefined) res.writeHead(404).end();
      else listener(req, res);
    });
    servers.push(server);
    serviceUrls[name] = await listenOn(server);
  }
  const tokens = await startTokenIssuer();
  const redis = createRedis({ url: await testRedis(), name: 'gateway-test', logger });
  await redisReady(redis);
  const revoked = new Set<string>();
  const verifier = createTokenVerifier({
    jwksUrl: tokens.jwksUrl,
    redis,
    sessionStatus: async ({ session_id }) => ({ active: !revoked.has(session_id) }),
  });
  const gateway = createGateway({
    config: readConfig({
      NODE_ENV: 'test',
      PORT: '0',
      NATS_URL: 'nats://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
      // Tests share their machine: waiting for a CPU must not make the gateway refuse requests.
      QUEUE_TARGET_MS: '1000',
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, serviceUrls[name]])),
      ...options.env,
    }),
    logger,
    verifier,
    counts: options.counts ?? redisCounts(redis),
    // A fixed time within a window, so that no test crosses a minute.
    now: () => 30_000,
  });
  const url = await listen(gateway, { host: '127.0.0.1', port: 0 });
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    redis.disconnect();
    gateway.server.closeAllConnections();
    await gateway.close();
    for (const server of servers) server.closeAllConnections();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    await tokens.stop();
  };
  return {
    url,
    gateway,
    tokens,
    revoked,
    services,
    serviceUrls,
    stop: () => (stopping ??= stop()),
  };
}

export async function listenOn(server: TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Waits until a condition holds; fails the test after the timeout. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  ms = 10_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
