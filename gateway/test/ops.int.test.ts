import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { allRoutes } from '@karaar/contracts/services';
import { createLogger } from '@karaar/observability/logging';
import { createRedis, redisReady } from '@karaar/storage/redis';
import { testRedis } from '@karaar/testing/harness';
import { bearer } from '@karaar/testing/people/tokens';
import { redisCounts } from '../src/limits/shared-counts.ts';
import { WebSocket, WebSocketServer } from 'ws';
import { listenOn, startTestGateway, until, type TestGateway, type TestOptions } from './harness.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function start(options?: TestOptions): Promise<TestGateway> {
  const gw = await startTestGateway(options);
  opened.push(gw.stop);
  return gw;
}

async function serve(server: Server): Promise<string> {
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return listenOn(server);
}

describe('/api/health', () => {
  it('lists every service; 200 when all are ready', async () => {
    const gw = await start();
    for (const name of Object.keys(gw.serviceUrls) as (keyof typeof gw.serviceUrls)[]) {
      gw.services[name] = (req, res) => res.writeHead(req.url === '/readyz' ? 200 : 500).end('{}');
    }
    const res = await fetch(`${gw.url}/api/health`);
    expect(res.status).toBe(200);
    expect(await res.json()).toEqual({
      status: 'ok',
      services: {
        auth: 'ok',
        documents: 'ok',
        payments: 'ok',
        wallet: 'ok',
        messaging: 'ok',
        vision: 'ok',
        cms: 'ok',
        notifications: 'ok',
      },
    });
  });

  it('answers 503 and names services that are down, not ready or silent, within little more than a second', async () => {
    const gw = await start({ dead: ['wallet'] });
    for (const name of ['auth', 'documents', 'payments', 'cms', 'notifications'] as const) {
      gw.services[name] = (_req, res) => res.end('{}');
    }
    gw.services.vision = (_req, res) => res.writeHead(503).end('{}');
    gw.services.messaging = () => undefined;
    const before = Date.now();
    const res = await fetch(`${gw.url}/api/health`);
    expect(Date.now() - before).toBeLessThan(2_500);
    expect(res.status).toBe(503);
    expect(await res.json()).toEqual({
      status: 'degraded',
      services: {
        auth: 'ok',
        documents: 'ok',
        payments: 'ok',
        wallet: 'failed',
        messaging: 'failed',
        vision: 'failed',
        cms: 'ok',
        notifications: 'ok',
      },
    });
  });
});

describe('/api/docs', () => {
  it('shows every route on a page without script, and serves the OpenAPI document', async () => {
    const gw = await start();
    const page = await fetch(`${gw.url}/api/docs`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
    expect(html).not.toMatch(/<script|style=|https?:\/\/(?!localhost)/);
    for (const { contract } of allRoutes()) expect(html).toContain(contract.path.replace(/:(\w+)/g, '{$1}'));
    const style = await fetch(`${gw.url}/api/docs/style.css`);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    const document = (await (await fetch(`${gw.url}/api/docs/openapi.json`)).json()) as { openapi: string };
    expect(document.openapi).toBe('3.1.0');
    expect((await fetch(`${gw.url}/api/docs/other`)).status).toBe(404);
    expect((await fetch(`${gw.url}/api/docs`, { method: 'POST' })).status).toBe(405);
  });
});

describe('rate limits', () => {
  it('count per address, send Retry-After, and are lower for sign-in', async () => {
    const gw = await start({
      env: {
        RATE_LIMIT_PER_MINUTE: '40',
        RATE_LIMIT_SENSITIVE_PER_MINUTE: '3',
        TRUSTED_PROXIES: '127.0.0.0/8',
      },
    });
    gw.services.auth = (_req, res) => res.end('{}');
    const send = (ip: string, path: string, method: string) =>
      fetch(gw.url + path, { method, headers: { 'x-forwarded-for': ip } });
    const logins = [];
    for (let i = 0; i < 5; i += 1)
      logins.push((await send('198.51.100.1', '/api/auth/login', 'POST')).status);
    expect(logins).toEqual([200, 200, 200, 429, 429]);
    const statuses: number[] = [];
    for (let i = 0; i < 36; i += 1) statuses.push((await send('198.51.100.1', '/api/nothing', 'GET')).status);
    expect(statuses.slice(0, 35)).toEqual(Array(35).fill(404));
    expect(statuses[35]).toBe(429);
    const refused = await send('198.51.100.1', '/', 'GET');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
    expect((await send('198.51.100.2', '/api/auth/login', 'POST')).status).toBe(200);
  });

  it('are even lower for expensive routes, and do not affect others', async () => {
    const env = { RATE_LIMIT_HEAVY_PER_MINUTE: '2', TRUSTED_PROXIES: '127.0.0.0/8' };
    const gw = await start({ env });
    gw.services.documents = (_req, res) => res.end('{}');
    const send = async (ip: string, path: string, method: string) =>
      (await fetch(gw.url + path, { method, headers: { 'x-forwarded-for': ip } })).status;
    const verify = (ip: string) => send(ip, '/api/verify', 'POST');
    const one = '198.51.100.7';
    expect([await verify(one), await verify(one), await verify(one)]).toEqual([200, 200, 429]);
    expect(await verify('198.51.100.8')).toBe(200);
    expect(await send(one, '/api/verify/7K3M9QXA', 'GET')).toBe(200);
  });

  it('are shared between gateways through Redis', async () => {
    const logger = createLogger({ name: 'test', level: 'silent' });
    const redis = createRedis({ url: await testRedis(), name: 'test', logger });
    opened.push(() => redis.disconnect());
    await redisReady(redis);
    const env = { RATE_LIMIT_PER_MINUTE: '20' };
    const counts = redisCounts(redis);
    const [one, two] = [await start({ env, counts }), await start({ env, counts })];
    for (let i = 0; i < 20; i += 1) await fetch(`${one.url}/api/nothing`);
    const end = Date.now() + 5_000;
    let status = 0;
    while (status !== 429 && Date.now() < end) {
      status = (await fetch(`${two.url}/api/nothing`)).status;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    // The first gateway let twenty pass; the second let pass only requests before its first sync.
    expect(status).toBe(429);
    const keys = await redis.keys('limit:*');
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  it('apply per process while Redis is down: never unlimited', async () => {
    const gw = await start({
      env: { RATE_LIMIT_PER_MINUTE: '10' },
      counts: { add: () => Promise.reject(new Error('Connection is closed.')) },
    });
    const statuses = [];
    for (let i = 0; i < 12; i += 1) {
      statuses.push((await fetch(`${gw.url}/api/nothing`)).status);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  it('count the address that the trusted proxy reports, and ignore other claims', async () => {
    const gw = await start({ env: { RATE_LIMIT_PER_MINUTE: '5' } });
    const statuses = [];
    for (let i = 0; i < 7; i += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` };
      statuses.push((await fetch(`${gw.url}/api/nothing`, { headers })).status);
    }
    expect(statuses.slice(5)).toEqual([429, 429]);
  });
});

async function upgrade(
  url: string,
  path: string,
  header = 'x-forwarded-for: 1.1.1.1',
): Promise<{ socket: Socket; head: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
      `sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n${header}\r\n\r\n`,
  );
  const [data] = (await once(socket, 'data')) as [Buffer];
  return { socket, head: data.toString() };
}

describe('websockets', () => {
  it('of the chat are relayed both ways unchanged, text and bytes, and end with either side', async () => {
    const server = createServer();
    const chatServer = new WebSocketServer({ server });
    const ends: WebSocket[] = [];
    let seen: Record<string, unknown> = {};
    chatServer.on('connection', (end, req) => {
      seen = { url: req.url, ...req.headers };
      ends.push(end);
      end.send('at once');
      end.on('message', (data, binary) => end.send(data as Buffer, { binary }));
    });
    const messaging = await serve(server);
    const chat = await start({ env: { MESSAGING_URL: messaging, PUBLIC_URL: 'https://karaar.example' } });
    const open = async () => {
      const socket = new WebSocket(`${chat.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
        headers: { 'x-forwarded-for': '1.1.1.1', origin: 'https://karaar.example' },
      });
      const [first] = (await once(socket, 'message')) as [Buffer];
      expect(first.toString()).toBe('at once');
      return socket;
    };
    const first = await open();
    expect(seen).toMatchObject({
      url: '/socket.io/?EIO=4&transport=websocket',
      'x-forwarded-for': '127.0.0.1',
      origin: 'https://karaar.example',
    });
    const long = 'करार '.repeat(20_000);
    for (const sent of ['hello', long, Buffer.from([0, 255, 1])]) {
      first.send(sent);
      const [back, binary] = (await once(first, 'message')) as [Buffer, boolean];
      expect([back.equals(Buffer.from(sent as string)), binary]).toEqual([true, typeof sent !== 'string']);
    }
    first.close(4_001, 'enough');
    const [code, reason] = (await once(ends[0]!, 'close')) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([4_001, 'enough']);

    const second = await open();
    const closed = once(second, 'close');
    ends[1]?.terminate();
    await closed;
  });

  it('on other paths get 404; with the chat service down 503', async () => {
    const gw = await start({ dead: ['messaging'] });
    const other = await upgrade(gw.url, '/api/documents/my-documents');
    expect(other.head).toMatch(/^HTTP\/1.1 404 [\s\S]*"code":"not_found"/);
    const down = await upgrade(gw.url, '/socket.io/?EIO=4');
    expect(down.head).toMatch(/^HTTP\/1.1 503 [\s\S]*The chat service is not available right now/);
  });

  it('of pages of other sites get 403, whatever the service answers', async () => {
    const gw = await start({ dead: ['messaging'] });
    const statusOf = async (origin: string) =>
      (await upgrade(gw.url, '/socket.io/?EIO=4', `origin: ${origin}`)).head.slice(9, 12);
    for (const origin of [
      'https://evil.example',
      'null',
      'http://x.evil.example',
      'http://localhost:8081',
      'x',
    ])
      expect([origin, await statusOf(origin)]).toEqual([origin, '403']);
    for (const origin of ['http://x', 'http://localhost:8080'])
      expect([origin, await statusOf(origin)]).toEqual([origin, '503']);
  });

  it('of the chat by polling go to the same service', async () => {
    const gw = await start();
    gw.services.messaging = (req, res) => res.end(req.url);
    const res = await fetch(`${gw.url}/socket.io/?EIO=4&transport=polling`);
    expect(await res.text()).toBe('/socket.io/?EIO=4&transport=polling');
  });
});

describe('sandbox', () => {
  it('is reachable only in development', async () => {
    const server = createServer((req, res) => res.end(`sandbox ${req.url}`));
    const url = await serve(server);
    const dev = await start({ env: { SANDBOX_URL: url } });
    expect(await (await fetch(`${dev.url}/dev/sms?phone_no=1`)).text()).toBe('sandbox /dev/sms?phone_no=1');
    expect(await (await fetch(`${dev.url}/sandbox/checkout.js`)).text()).toBe('sandbox /sandbox/checkout.js');
    const live = await start();
    expect(await (await fetch(`${live.url}/dev/sms`)).text()).not.toContain('sandbox');
  });
});

describe('stopping', () => {
  it('lets the request in progress finish, accepts no new one, and then closes', async () => {
    const gw = await start();
    let finish: (() => void) | undefined;
    gw.services.documents = (_req, res) => {
      finish = () => res.end('done');
    };
    const headers = bearer(await gw.tokens.user());
    const running = fetch(`${gw.url}/api/documents/my-documents`, { headers });
    await until(() => finish !== undefined, 'the service to be asked');
    gw.gateway.startDraining();
    expect((await fetch(`${gw.url}/readyz`)).status).toBe(503);
    const closed = gw.gateway.close();
    await expect(fetch(`${gw.url}/healthz`)).rejects.toThrow();
    finish?.();
    expect(await (await running).text()).toBe('done');
    await closed;
    expect(gw.gateway.server.listening).toBe(false);
  });
});

describe('bytes that are not a request', () => {
  it('get an error in the wire form', async () => {
    const gw = await start();
    const socket = connect(Number(new URL(gw.url).port), '127.0.0.1');
    socket.write('NONSENSE\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"malformed_request"/);
    const large = request(`${gw.url}/`, { headers: { 'x-large': 'a'.repeat(60_000) } });
    large.on('error', () => undefined);
    large.end();
    const [res] = (await once(large, 'response')) as [{ statusCode: number; resume(): void }];
    res.resume();
    expect(res.statusCode).toBe(431);
  });
});
