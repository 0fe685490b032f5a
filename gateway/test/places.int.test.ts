/** Long places at a service: a few callers cannot take them all, however their bodies arrive. */
import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { bearer } from '@karaar/testing/people/tokens';
import { startTestGateway, until, type TestGateway } from './harness.ts';

const VERIFY = '/api/verify';
const UPLOAD = '/api/documents/create';
const DOWNLOAD = '/api/documents/x/final-pdf';
/** Long places at each service: half of the connections. */
const PLACES = 32;
const FLOWING = 200_000;

let gw: TestGateway;
let held = 0;
const open: ClientRequest[] = [];

beforeAll(async () => {
  gw = await startTestGateway({
    env: {
      TRUSTED_PROXIES: '127.0.0.0/8',
      UPSTREAM_CONNECTIONS: String(PLACES * 2),
      LONG_PER_ADDRESS: '12',
      RATE_LIMIT_SENSITIVE_PER_MINUTE: '10000',
      RATE_LIMIT_HEAVY_PER_MINUTE: '10000',
    },
  });
});
afterAll(() => gw.stop());
beforeEach(() => {
  held = 0;
  gw.services.documents = (req, res) => {
    held += 1;
    req.on('error', () => undefined);
    req.resume().on('end', () => res.end('{}'));
  };
});
afterEach(() => {
  for (const req of open.splice(0)) req.destroy();
});

function begin(path: string, from: string, headers: Record<string, string | number>, method = 'POST') {
  const req = request(gw.url + path, {
    method,
    headers: { 'x-forwarded-for': from, ...headers },
    agent: new Agent(),
  });
  req.on('error', () => undefined);
  open.push(req);
  const answer = once(req, 'response').then(([res]) => (res as IncomingMessage).resume().statusCode);
  answer.catch(() => undefined);
  return { req, answer };
}

function endless(path: string, from: string, bytes: number, headers: Record<string, string> = {}): void {
  const { req } = begin(path, from, { 'content-length': 1_000_000, ...headers });
  req.flushHeaders();
  if (bytes > 0) req.write(Buffer.alloc(bytes));
}
function whole(path: string, from: string, headers: Record<string, string> = {}) {
  const { req, answer } = begin(path, from, { 'content-length': FLOWING, ...headers });
  req.end(Buffer.alloc(FLOWING));
  return answer;
}
const user = async () => bearer(await gw.tokens.user());
const connections = () =>
  new Promise<number>((resolve) => gw.gateway.server.getConnections((_error, count) => resolve(count)));
const taken = async () => {
  const before = held;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return before === held && held > 0;
};
const three = ['198.51.100.1', '198.51.100.2', '2001:db8:1:2::1'];

/** Checks that uploads with and without a session, and a download, of other users pass. */
async function othersPass(): Promise<void> {
  const download = begin(DOWNLOAD, '192.0.2.3', await user(), 'GET');
  download.req.end();
  expect(
    await Promise.all([
      whole(VERIFY, '192.0.2.1'),
      whole(UPLOAD, '192.0.2.2', await user()),
      download.answer,
    ]),
  ).toEqual([200, 200, 200]);
}

it('bodies that do not arrive take no place', async () => {
  for (const from of three) for (let at = 0; at < 12; at += 1) endless(VERIFY, from, 0);
  await until(async () => (await connections()) >= 36, 'all to be connected');
  await othersPass();
  // Only the three complete ones.
  expect(held).toBe(3);
});

it('bodies from three addresses leave places to other users without a session, to signed-in users and to downloads', async () => {
  for (const from of three) for (let at = 0; at < 12; at += 1) endless(VERIFY, from, FLOWING);
  await until(taken, 'the places to be taken');
  await othersPass();
});

it('an IPv6 customer has one share for all of its addresses', async () => {
  for (let at = 0; at < 40; at += 1) endless(VERIFY, `2001:db8:1:${at.toString(16)}::1`, FLOWING);
  await until(taken, 'the places to be taken');
  expect(held).toBeLessThanOrEqual(12);
  await othersPass();
});

it('a customer with a /48 leaves places to other users without a session', async () => {
  for (let at = 0; at < 100; at += 1) endless(VERIFY, `2001:db8:2:${(at * 256).toString(16)}::1`, FLOWING);
  await until(taken, 'the places to be taken');
  await othersPass();
});

it('many addresses without a session leave places to signed-in users and to downloads', async () => {
  for (let at = 0; at < 100; at += 1) endless(VERIFY, `203.0.113.${at}`, FLOWING);
  await until(taken, 'the places to be taken');
  const download = begin(DOWNLOAD, '192.0.2.3', await user(), 'GET');
  download.req.end();
  expect(await Promise.all([whole(UPLOAD, '192.0.2.2', await user()), download.answer])).toEqual([200, 200]);
});

it('one user leaves places to others', async () => {
  const headers = await user();
  for (let at = 0; at < 16; at += 1) endless(UPLOAD, `203.0.113.${at}`, FLOWING, headers);
  await until(taken, 'the places to be taken');
  await othersPass();
});

it('a request has no total time limit', () => {
  expect(gw.gateway.server.requestTimeout).toBe(0);
});
