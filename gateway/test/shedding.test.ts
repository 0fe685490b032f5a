/** The gateway before a service that takes two requests at a time, and more of them than it can take. */
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer } from '@karaar/testing/tokens';
import { registry } from '@karaar/platform/telemetry';
import { startTestGateway, until, type TestGateway } from './harness.ts';

let gw: TestGateway;
let headers: { authorization: string };

/** A service of so many workers, each of which takes so many milliseconds. */
function workers(count: number, ms: number) {
  const free = new Float64Array(count);
  return () => {
    const now = performance.now();
    const next = free.indexOf(Math.min(...free));
    free[next] = Math.max(now, free[next] ?? 0) + ms;
    return (free[next] ?? 0) - now;
  };
}

beforeAll(async () => {
  gw = await startTestGateway({
    env: { RATE_LIMIT_PER_MINUTE: '1000000', DEADLINE_MS: '3000', QUEUE_TARGET_MS: '40' },
  });
  headers = bearer(await gw.tokens.user());
});
afterAll(() => gw.stop());

type Answer = { status: number; ms: number; retryAfter: string | null; body: string };

async function ask(method: string, path: string): Promise<Answer> {
  const begun = performance.now();
  const answer = await fetch(gw.url + path, { method, headers });
  const body = await answer.text();
  const retryAfter = answer.headers.get('retry-after');
  return { status: answer.status, ms: performance.now() - begun, retryAfter, body };
}

/** Asks at a fixed rate, whatever becomes of it. */
async function askAt(perSecond: number, seconds: number, method: string, path: string): Promise<Answer[]> {
  const began = performance.now();
  const answers: Promise<Answer>[] = [];
  for (let i = 0; i < perSecond * seconds; i += 1) {
    const wait = began + (i * 1_000) / perSecond - performance.now();
    if (wait > 1) await sleep(wait);
    answers.push(ask(method, path));
  }
  return Promise.all(answers);
}

const answered = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200);

it('turns away what there is no room for, lists before payments, at once and with a time to come back', async () => {
  // 100 a second.
  const wait = workers(2, 20);
  gw.services.payments = (_req, res) => setTimeout(() => res.end('{}'), wait());
  const pay = '/api/payments/document/019be2c4-0000-7000-8000-000000000000/pay';
  const [lists, payments] = await Promise.all([
    askAt(300, 4, 'GET', '/api/payments/my-payments'),
    askAt(20, 4, 'POST', pay),
  ]);
  const refused = lists.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  expect(refused.length).toBeGreaterThan(lists.length / 3);
  expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1 && Number(retryAfter) <= 8)).toBe(true);
  expect(JSON.parse(refused[0]?.body ?? '')).toEqual({
    detail: 'The payment service has too much to do right now. Please try again in a moment.',
    code: 'overloaded',
  });
  expect(answered(payments).length).toBeGreaterThan(payments.length * 0.95);
  // Without the limit those of the last second would have waited for eight.
  const late = answered(lists.slice(-200)).map(({ ms }) => ms);
  expect(late.length).toBeGreaterThan(20);
  expect(Math.max(...late)).toBeLessThan(1_000);

  const text = await registry.metrics();
  // On a machine with much else to do the gateway also refuses for itself.
  const shed = text.matchAll(
    /gateway_shed_total\{service="payments",urgency="patient",reason="(?:service|gateway)"\} (\d+)/g,
  );
  const counted = [...shed].reduce((sum, [, count]) => sum + Number(count), 0);
  expect(counted).toBeGreaterThanOrEqual(refused.length);
  expect(text).toMatch(/gateway_service_limit\{service="payments",lane="quick"\} \d+/);
  expect((await fetch(`${gw.url}/healthz`)).status).toBe(200);
}, 20_000);

it('refuses in the order of a connection with several requests, each as a whole', async () => {
  const held: (() => void)[] = [];
  gw.services.wallet = (_req, res) => void held.push(() => res.end('[]'));
  gw.services.cms = (req, res) => void setTimeout(() => res.end(`<${req.url}>`), 60);
  const list = '/api/wallet/transactions';
  const full = Array.from({ length: 30 }, () => ask('GET', list));
  await until(() => held.length >= 8, 'the service to be busy');
  const browser = connect(Number(new URL(gw.url).port), '127.0.0.1');
  const asked = [
    'GET /api/cms/pages',
    `GET ${list}`,
    `HEAD ${list}`,
    `GET ${list}`,
    'GET /api/cms/pages?last',
  ];
  const head = `HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n`;
  browser.write(
    asked.map((line, at) => `${line} ${head}${at === 4 ? 'connection: close\r\n' : ''}\r\n`).join(''),
  );
  const answers = (await textOf(browser)).split(/(?=HTTP\/1\.1 )/);
  const bodies = answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4));
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '503', '503', '503', '200']);
  const busy = expect.stringMatching(/^\{"detail":"The wallet .*"code":"overloaded"\}$/) as string;
  const page = (path: string) => expect.stringContaining(`<${path}>`) as string;
  expect(bodies).toEqual([page('/cms/pages'), busy, '', busy, page('/cms/pages?last')]);
  for (const release of held) release();
  await Promise.all(full);
});

it('leaves other services alone, and those that take their time', async () => {
  const held: (() => void)[] = [];
  gw.services.documents = (req, res) => {
    if (req.url?.endsWith('/final-pdf')) held.push(() => res.end('%PDF-'));
    else res.end('{}');
  };
  const downloads = Array.from({ length: 60 }, () => ask('GET', '/api/documents/x/final-pdf'));
  await until(() => held.length === 60, 'all downloads to be under way');
  const others = await askAt(100, 1, 'GET', '/api/documents/my-documents/counts');
  expect(answered(others)).toHaveLength(100);
  held.forEach((finish) => finish());
  expect(answered(await Promise.all(downloads))).toHaveLength(60);
}, 20_000);

it('counts no slow reader as one who waits for the service', async () => {
  gw.services.cms = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    // The head goes; the body never ends.
    res.write('{');
  };
  const readers = Array.from({ length: 80 }, () => new AbortController());
  await Promise.all(
    readers.map(({ signal }) => fetch(`${gw.url}/api/cms/public/about`, { headers, signal })),
  );
  const one = await fetch(`${gw.url}/api/cms/public/terms`, { headers });
  expect(one.status).toBe(200);
  for (const reader of readers) reader.abort();
  await one.body?.cancel();
}, 20_000);
