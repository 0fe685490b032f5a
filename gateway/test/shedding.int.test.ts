import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { registry } from '@karaar/observability/telemetry';
import { bearer } from '@karaar/testing/people/tokens';
import { startTestGateway, until, type TestGateway } from './harness.ts';

/** Concurrent quick requests at one service: lists may fill six tenths, reads nine, payments more. */
const ROOM = 20;
const ROOM_FOR_LISTS = 12;
const ROOM_FOR_READS = 18;
const ROOM_FOR_PAYMENTS = 30;
const DOCUMENT = '019be2c4-0000-7000-8000-000000000000';

let gw: TestGateway;
let headers: { authorization: string };

beforeAll(async () => {
  gw = await startTestGateway({
    env: {
      RATE_LIMIT_PER_MINUTE: '1000000',
      // Long, so that only the tests end requests.
      DEADLINE_MS: '120000',
      UPSTREAM_MAX_IN_FLIGHT: String(ROOM),
      LONG_PER_ADDRESS: '100',
      LONG_PER_USER: '100',
    },
  });
  headers = bearer(await gw.tokens.user());
});
afterAll(() => gw.stop());

type Answer = { status: number; retryAfter: string | null; body: string };

async function ask(method: string, path: string, as = headers): Promise<Answer> {
  const answer = await fetch(gw.url + path, { method, headers: as });
  const body = await answer.text();
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body };
}

function askMany(count: number, method: string, path: string, as = headers) {
  const answers: Answer[] = [];
  const all = Array.from({ length: count }, async () => {
    const answer = await ask(method, path, as);
    answers.push(answer);
    return answer;
  });
  return { answers, all: Promise.all(all) };
}

async function untilMetric(pattern: RegExp, fits: (value: number) => boolean): Promise<void> {
  let value = Number.NaN;
  const look = async (): Promise<void> => {
    value = Number(pattern.exec(await registry.metrics())?.[1]);
  };
  await until(() => (void look(), fits(value)), `${pattern.source} to fit`);
}

const QUICK_LIMIT = /gateway_service_limit\{service="payments",traffic_class="quick"\} (\d+)/;

it('refuses requests beyond the capacity, lists before reads before payments, with Retry-After', async () => {
  const held: ServerResponse[] = [];
  gw.services.payments = (_req, res) => void held.push(res);
  const lists = askMany(40, 'GET', '/api/payments/my-payments');
  await until(() => held.length + lists.answers.length === 40, 'all lists to be let in or refused');
  expect(held).toHaveLength(ROOM_FOR_LISTS);
  const reads = askMany(20, 'GET', `/api/payments/document/${DOCUMENT}/payment-status`);
  await until(() => held.length - ROOM_FOR_LISTS + reads.answers.length === 20, 'the same of reads');
  expect(held).toHaveLength(ROOM_FOR_READS);
  const payments = askMany(20, 'POST', `/api/payments/document/${DOCUMENT}/pay`);
  await until(() => held.length - ROOM_FOR_READS + payments.answers.length === 20, 'the same of payments');
  expect(held).toHaveLength(ROOM_FOR_PAYMENTS);

  const refused = [...lists.answers, ...reads.answers, ...payments.answers];
  expect(refused).toHaveLength(80 - ROOM_FOR_PAYMENTS);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1 && Number(retryAfter) <= 8)).toBe(true);
  expect(JSON.parse(refused[0]?.body ?? '')).toEqual({
    detail: 'The payment service has too much to do right now. Please try again in a moment.',
    code: 'overloaded',
  });
  const text = await registry.metrics();
  expect(text).toContain(
    `gateway_shed_total{service="payments",urgency="patient",reason="service"} ${40 - ROOM_FOR_LISTS}`,
  );
  expect((await fetch(`${gw.url}/healthz`)).status).toBe(200);

  for (const res of held) res.end('{}');
  const answers = (await Promise.all([lists.all, reads.all, payments.all])).flat();
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(ROOM_FOR_PAYMENTS);
});

it('lowers the limit when a service reports overload, and raises it again when it recovers', async () => {
  const held: ServerResponse[] = [];
  gw.services.payments = (_req, res) => void held.push(res);
  await untilMetric(QUICK_LIMIT, (limit) => limit === ROOM);
  const lists = askMany(ROOM_FOR_LISTS, 'GET', '/api/payments/my-payments');
  await until(() => held.length === ROOM_FOR_LISTS, 'the service to be busy');
  for (const res of held) res.writeHead(503).end('{}');
  await lists.all;
  await untilMetric(QUICK_LIMIT, (limit) => limit < ROOM);
  await untilMetric(QUICK_LIMIT, (limit) => limit === ROOM);
});

it('answers refusals in the order of the connection’s requests, each complete', async () => {
  const held: ServerResponse[] = [];
  gw.services.wallet = (_req, res) => void held.push(res);
  let first: (() => void) | undefined;
  gw.services.cms = (req, res) => {
    const answer = (): void => void res.end(`<${req.url}>`);
    if (first === undefined) first = answer;
    else {
      // The last request has arrived, so those in between have been refused.
      answer();
      first();
    }
  };
  const list = '/api/wallet/transactions';
  const full = askMany(ROOM_FOR_LISTS, 'GET', list);
  await until(() => held.length === ROOM_FOR_LISTS, 'the service to be busy');
  const browser = connect(Number(new URL(gw.url).port), '127.0.0.1');
  const requests = [
    'GET /api/cms/pages',
    `GET ${list}`,
    `HEAD ${list}`,
    `GET ${list}`,
    'GET /api/cms/pages?last',
  ];
  const head = `HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n`;
  browser.write(
    requests.map((line, at) => `${line} ${head}${at === 4 ? 'connection: close\r\n' : ''}\r\n`).join(''),
  );
  const answers = (await textOf(browser)).split(/(?=HTTP\/1\.1 )/);
  const bodies = answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4));
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '503', '503', '503', '200']);
  const busy = expect.stringMatching(/^\{"detail":"The wallet .*"code":"overloaded"\}$/) as string;
  const page = (path: string) => expect.stringContaining(`<${path}>`) as string;
  expect(bodies).toEqual([page('/cms/pages'), busy, '', busy, page('/cms/pages?last')]);
  for (const res of held) res.end('[]');
  await full.all;
});

it('does not affect other services, nor slow answers', async () => {
  const held: (() => void)[] = [];
  gw.services.documents = (req, res) => {
    if (req.url?.endsWith('/final-pdf')) held.push(() => res.end('%PDF-'));
    else res.end('{}');
  };
  const people = await Promise.all(Array.from({ length: 10 }, async () => bearer(await gw.tokens.user())));
  const downloads = people.map((one) => askMany(4, 'GET', '/api/documents/x/final-pdf', one).all);
  await until(() => held.length === 40, 'all downloads to be under way');
  for (let round = 0; round < 10; round += 1) {
    const others = await askMany(ROOM_FOR_LISTS, 'GET', '/api/documents/my-documents/counts').all;
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  }
  held.forEach((finish) => finish());
  expect(new Set((await Promise.all(downloads)).flat().map(({ status }) => status))).toEqual(new Set([200]));
});

it('does not count a slow reader as waiting for the service', async () => {
  gw.services.cms = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    // The head is sent; the body never ends.
    res.write('{');
  };
  const reading = new AbortController();
  const read = () => fetch(`${gw.url}/api/cms/public/about`, { headers, signal: reading.signal });
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(Array.from({ length: ROOM_FOR_READS }, read));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
  reading.abort();
});

it('does not count refused calls against the limit of sensitive routes', async () => {
  const held: ServerResponse[] = [];
  const small = await startTestGateway({
    env: {
      UPSTREAM_MAX_IN_FLIGHT: '2',
      RATE_LIMIT_SENSITIVE_PER_MINUTE: '40',
      LONG_PER_ADDRESS: '100',
      DEADLINE_MS: '120000',
    },
  });
  try {
    small.services.auth = (_req, res) => void held.push(res);
    const answered: number[] = [];
    const signIn = async (): Promise<void> => {
      const answer = await fetch(`${small.url}/api/auth/login`, { method: 'POST' });
      await answer.text();
      answered.push(answer.status);
    };
    const first = Array.from({ length: 30 }, signIn);
    await until(() => held.length + answered.length === 30, 'all to be let in or turned away');
    expect(answered.length).toBeGreaterThan(10);
    expect(new Set(answered)).toEqual(new Set([503]));
    const turnedAway = answered.length;
    for (const res of held) res.end('{}');
    await Promise.all(first);
    // As many as the limit still allows after the admitted ones, one after the other.
    small.services.auth = (_req, res) => res.end('{}');
    answered.length = 0;
    for (let at = 0; at < 40 - (30 - turnedAway); at += 1) await signIn();
    expect(new Set(answered)).toEqual(new Set([200]));
  } finally {
    await small.stop();
  }
});
