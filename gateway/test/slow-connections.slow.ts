/** Clients that are slow or hold more than their share lose only their own requests. */
import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { registry } from '@karaar/observability/telemetry';
import { bearer } from '@karaar/testing/people/tokens';
import { startTestGateway, until, type TestGateway } from './harness.ts';

const UPLOAD = '/api/documents/create';
const LOGIN = '/api/auth/login';

let gw: TestGateway;
const open: (ClientRequest | Socket)[] = [];

beforeAll(async () => {
  gw = await startTestGateway({
    env: {
      TRUSTED_PROXIES: '127.0.0.0/8',
      RATE_LIMIT_SENSITIVE_PER_MINUTE: '10000',
      UPLOAD_MIN_BYTES_PER_S: '1000',
      UPLOAD_STALL_MS: '1000',
      BODY_MIN_BYTES_PER_S: '100',
      BODY_STALL_MS: '800',
      REQUESTS_PER_ADDRESS: '60',
      LONG_PER_ADDRESS: '5',
      LONG_PER_USER: '2',
    },
  });
});
afterAll(() => gw.stop());
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
  for (const name of Object.keys(gw.services)) Reflect.deleteProperty(gw.services, name);
});

type Sent = { req: ClientRequest; answer: Promise<IncomingMessage> };

function begin(
  path: string,
  from: string,
  headers: Record<string, string | number> = {},
  method = 'POST',
): Sent {
  const req = request(gw.url + path, {
    method,
    headers: { 'x-forwarded-for': from, ...headers },
    agent: new Agent(),
  });
  req.on('error', () => undefined);
  open.push(req);
  const answer = once(req, 'response').then(([res]) => res as IncomingMessage);
  answer.catch(() => undefined);
  return { req, answer };
}

function idle(path: string, from: string, headers: Record<string, string | number> = {}): Sent {
  const sent = begin(path, from, { 'content-length': 1_000, ...headers });
  sent.req.flushHeaders();
  return sent;
}

async function codeOf(res: IncomingMessage): Promise<[number, string, string | undefined]> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  const { code } = JSON.parse(Buffer.concat(chunks).toString()) as { code: string };
  return [res.statusCode ?? 0, code, res.headers.connection];
}

const stalled = [408, 'upload_stalled', 'close'];
const user = async () => bearer(await gw.tokens.user());

describe('a body that arrives slower than its route requires', () => {
  it('is aborted although it makes progress, and its connection is closed', async () => {
    let aborted = false;
    gw.services.documents = (req) => {
      req.on('aborted', () => (aborted = true));
      req.on('error', () => undefined);
      req.resume();
    };
    const { req, answer } = begin(UPLOAD, '198.51.100.1', { ...(await user()), 'content-length': 200_000 });
    // Enough for the service to be called.
    req.write(Buffer.alloc(100_000));
    const drip = setInterval(() => req.write('x'), 50);
    try {
      expect(await codeOf(await answer)).toEqual(stalled);
    } finally {
      clearInterval(drip);
    }
    await until(() => aborted, 'the service to see the abort');
  });

  it('takes no place at the service while it is short and incomplete', async () => {
    let reached = false;
    gw.services.auth = () => (reached = true);
    const { req, answer } = begin(LOGIN, '198.51.100.2', { 'content-length': 900 });
    const drip = setInterval(() => req.write('x'), 50);
    try {
      expect(await codeOf(await answer)).toEqual(stalled);
    } finally {
      clearInterval(drip);
    }
    expect(reached).toBe(false);
  });

  it('is not aborted if the service reads slowly', async () => {
    let received = 0;
    gw.services.documents = (req, res) => {
      req.on('data', (chunk: Buffer) => {
        received += chunk.length;
        req.pause();
        setTimeout(() => req.resume(), 20);
      });
      req.on('end', () => res.end('{}'));
    };
    const size = 8 * 1024 * 1024;
    const { req, answer } = begin(UPLOAD, '198.51.100.3', { ...(await user()), 'content-length': size });
    req.end(Buffer.alloc(size));
    expect((await answer).statusCode).toBe(200);
    expect(received).toBe(size);
  }, 30_000);
});

describe('a client that holds much', () => {
  it('from one address is refused beyond its share, also before sign-in, without affecting others', async () => {
    gw.services.auth = (req, res) => void req.resume().on('end', () => res.end('{}'));
    const greedy = Array.from({ length: 40 }, () => idle(LOGIN, '198.51.100.10'));
    const begun = performance.now();
    const refused = greedy.map(async ({ answer }) => {
      const code = String(await codeOf(await answer));
      // The refusal of a client that retries at once is delayed.
      if (code.startsWith('429')) expect(performance.now() - begun).toBeGreaterThan(4_900);
      return code;
    });
    const codes = await Promise.all(refused);
    expect(codes.filter((code) => code === '429,too_many_requests,close')).toHaveLength(35);
    expect(codes.filter((code) => code === String(stalled))).toHaveLength(5);
    const more = Array.from({ length: 5 }, () => idle(LOGIN, '198.51.100.10'));
    await sleep(100);
    const other = begin(LOGIN, '198.51.100.11', { 'content-length': 2 });
    other.req.end('{}');
    expect((await other.answer).statusCode).toBe(200);
    await Promise.all(more.map(async ({ answer }) => codeOf(await answer)));
    const again = begin(LOGIN, '198.51.100.10', { 'content-length': 2 });
    again.req.end('{}');
    expect((await again.answer).statusCode).toBe(200);
  });

  it('as one user has the same share from all addresses', async () => {
    let held = 0;
    gw.services.documents = (req) => {
      held += 1;
      req.on('error', () => undefined).resume();
    };
    const one = await user();
    const sent = Array.from({ length: 6 }, (_, at) =>
      idle(UPLOAD, `198.51.100.${20 + at}`, { ...one, 'content-length': 200_000 }),
    );
    for (const { req } of sent) req.write(Buffer.alloc(100_000));
    const codes = await Promise.all(sent.map(async ({ answer }) => (await answer).statusCode));
    expect(codes.filter((code) => code === 429)).toHaveLength(4);
    expect(held).toBe(2);
  });

  it('by requests that services answer late is refused as well', async () => {
    const held: (() => void)[] = [];
    gw.services.cms = (_req, res) => void held.push(() => res.end('{}'));
    // More than the concurrency limit allows.
    const ask = (from: string) => begin('/api/cms/public/about', from, {}, 'GET');
    const all = Array.from({ length: 70 }, () => ask('198.51.100.30'));
    for (const { req } of all) req.end();
    const [first] = await Promise.all([Promise.race(all.map(({ answer }) => answer))]);
    expect([429, 503]).toContain(first?.statusCode);
    for (const answer of held) answer();
  });
});

describe('the traffic class of a request', () => {
  const inFlight = async (service: string): Promise<Record<string, number>> => {
    const text = await registry.metrics();
    const found = text.matchAll(
      new RegExp(`in_flight\\{service="${service}",traffic_class="(\\w+)"\\} (\\d+)`, 'g'),
    );
    return Object.fromEntries(
      [...found].map(([, trafficClass, count]) => [trafficClass ?? '', Number(count)]),
    );
  };

  it('does not follow its headers', async () => {
    let release: (() => void) | undefined;
    gw.services.payments = (_req, res) => void (release = () => res.end('{}'));
    const headers = {
      ...(await user()),
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 2,
    };
    const { req, answer } = begin('/api/payments/create', '198.51.100.40', headers);
    req.end('{}');
    await until(() => release !== undefined, 'the service to be asked');
    expect(await inFlight('payments')).toEqual({ quick: 1, long: 0 });
    release?.();
    expect((await answer).statusCode).toBe(200);
  });

  it('is long for a message above the buffer size, and quick for a short one', async () => {
    let release: (() => void) | undefined;
    gw.services.messaging = (req, res) => {
      req.resume();
      release = () => res.end('{}');
    };
    for (const [bytes, trafficClass] of [
      [1_000, 'quick'],
      [300_000, 'long'],
    ] as const) {
      const headers = {
        ...(await user()),
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': bytes,
      };
      const { req, answer } = begin('/api/messaging/send', '198.51.100.41', headers);
      req.end(Buffer.alloc(bytes));
      await until(() => release !== undefined, 'the service to be asked');
      expect(await inFlight('messaging')).toEqual({ quick: 0, long: 0, [trafficClass]: 1 });
      release?.();
      release = undefined;
      expect((await answer).statusCode).toBe(200);
    }
  });
});

it('closes idle connections of one address beyond its share', async () => {
  const few = await startTestGateway({ env: { CONNECTIONS_PER_ADDRESS: '3' } });
  try {
    const sockets = Array.from({ length: 5 }, () => connect(Number(new URL(few.url).port), '127.0.0.1'));
    open.push(...sockets);
    for (const socket of sockets) socket.on('error', () => undefined);
    await until(
      () => sockets.filter(({ destroyed, closed }) => destroyed || closed).length === 2,
      'two to be closed',
    );
    for (const socket of sockets) socket.destroy();
    const answers = () =>
      fetch(`${few.url}/healthz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(answers, 'their places to be free');
  } finally {
    await few.stop();
  }
});
