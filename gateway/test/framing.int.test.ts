/**
 * One length for every body: requests that two parsers could read differently are refused, and others are
 * framed again.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { connect, createServer as createTcp, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer } from '@karaar/testing/people/tokens';
import { listenOn, startTestGateway, type TestGateway } from './harness.ts';

type Seen = { line: string; headers: IncomingMessage['headers']; body: string };

let gw: TestGateway;
let auth: string;
let seen: Seen[];
const opened: Socket[] = [];

beforeAll(async () => {
  const service = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('error', () => undefined);
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1');
      seen.push({ line: `${req.method} ${req.url}`, headers: req.headers, body });
      res.end(JSON.stringify({ line: `${req.method} ${req.url}`, body }));
    });
  });
  service.on('clientError', (_error, socket) => socket.destroy());
  const url = await listenOn(service);
  // One connection to each service, so that a framing error would affect the next request.
  gw = await startTestGateway({
    env: { AUTH_URL: url, DOCUMENTS_URL: url, MESSAGING_URL: url, UPSTREAM_CONNECTIONS: '1' },
  });
  auth = bearer(await gw.tokens.user()).authorization;
  stopService = () => {
    service.closeAllConnections();
    service.close();
  };
});
let stopService = (): void => undefined;
afterAll(async () => {
  await gw.stop();
  stopService();
});
beforeEach(() => {
  seen = [];
});
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/**
 * Sends raw bytes.
 * @returns the answer, once it was complete or the connection was closed
 */
async function send(bytes: string, patienceMs = 700): Promise<{ text: string; closed: boolean }> {
  const socket = connect(Number(new URL(gw.url).port), '127.0.0.1');
  opened.push(socket);
  let text = '';
  let closed = false;
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (closed = true));
  socket.write(bytes, 'latin1');
  const end = Date.now() + patienceMs;
  while (!closed && Date.now() < end) await sleep(10);
  return { text, closed };
}

const LOGIN = 'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
const SMUGGLED = 'GET /metrics HTTP/1.1\r\nhost: x\r\nx-smuggled: 1\r\n\r\n';
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

async function ordinary(): Promise<string> {
  const res = await fetch(`${gw.url}/api/documents/my-documents`, { headers: { authorization: auth } });
  return ((await res.json()) as { line: string }).line;
}
async function login(): Promise<unknown> {
  const res = await fetch(`${gw.url}/api/auth/login`, { method: 'POST', body: '{"mine":1}' });
  return res.json();
}

describe('a header whose value is the name of another', () => {
  it.each([
    ['x-request-id', 'content-length'],
    ['accept', 'content-length'],
    ['accept', 'transfer-encoding'],
    ['x-anything', 'content-length'],
    ['user-agent', 'Content-Length'],
  ])('%s: %s together with chunks does not change the end of the body', async (name, value) => {
    await send(`${LOGIN}${name}: ${value}\r\ntransfer-encoding: chunked\r\n\r\n${chunked(SMUGGLED)}`);
    expect(await login()).toEqual({ line: 'POST /auth/login', body: '{"mine":1}' });
    expect(seen.map(({ line }) => line)).not.toContain('GET /metrics');
    expect(seen.map(({ body }) => body)).toEqual([SMUGGLED, '{"mine":1}']);
  });
});

it.each(['/socket.io/../metrics', '/socket.io/%2e%2e/internal/check', '/socket.io/./x'])(
  'dot segments in the address of a socket are refused: %s',
  async (path) => {
    const { text } = await send(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(seen).toEqual([]);
  },
);

const get = (headers: string) =>
  `GET /api/documents/my-documents HTTP/1.1\r\nhost: x\r\nauthorization: ${auth}\r\n${headers}\r\n`;
const post = (headers: string, body = '') => `${LOGIN}${headers}\r\n${body}`;

describe('requests that two parsers could read differently', () => {
  it.each([
    ['both lengths', () => post('content-length: 4\r\ntransfer-encoding: chunked\r\n', chunked('abcd'))],
    ['two lengths that differ', () => post('content-length: 4\r\ncontent-length: 5\r\n', 'abcde')],
    ['two lengths that are the same', () => post('content-length: 4\r\ncontent-length: 4\r\n', 'abcd')],
    ['a list of lengths', () => post('content-length: 4, 4\r\n', 'abcd')],
    ['a length with a sign', () => post('content-length: +4\r\n', 'abcd')],
    ['a length in another base', () => post('content-length: 0x4\r\n', 'abcd')],
    ['two codings', () => post('transfer-encoding: gzip, chunked\r\n', chunked('abcd'))],
    ['chunks twice', () => post('transfer-encoding: chunked, chunked\r\n', chunked('abcd'))],
    [
      'the coding twice',
      () => post('transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n', chunked('a')),
    ],
    ['an unknown coding', () => post('transfer-encoding: identity\r\n')],
    ['a coding in other letters', () => post('transfer-encoding: Chunked\r\n', chunked('abcd'))],
    [
      'a coding of HTTP/1.0',
      () => post('transfer-encoding: chunked\r\n', chunked('a')).replace('1.1', '1.0'),
    ],
    ['a space before the colon', () => post('content-length : 4\r\n', 'abcd')],
    ['a folded header', () => get('x-folded: a\r\n b\r\n')],
    ['a bare line feed in the head', () => get('x-one: 1\nx-two: 2\r\n')],
    ['a NUL in a value', () => get('x-nul: a\0b\r\n')],
    ['a control character in a value', () => get('x-bell: a\x07b\r\n')],
    ['a body on GET', () => get('content-length: 4\r\n') + 'abcd'],
    ['chunks on GET', () => get('transfer-encoding: chunked\r\n') + '0\r\n\r\n'],
    ['a body on HEAD', () => get('content-length: 4\r\n').replace('GET', 'HEAD') + 'abcd'],
    ['a body on DELETE', () => get('content-length: 4\r\n').replace('GET', 'DELETE') + 'abcd'],
    ['a body on OPTIONS', () => get('content-length: 4\r\n').replace('GET', 'OPTIONS') + 'abcd'],
    ['two hosts', () => get('host: y\r\n')],
    ['no host', () => get('').replace('host: x\r\n', '')],
    ['two tokens', () => get(`authorization: ${auth}\r\n`)],
    ['two content types', () => post('content-type: text/plain\r\ncontent-length: 0\r\n')],
    ['a hop that is our header', () => get('connection: close, x-forwarded-for\r\n')],
    ['a hop that is the token', () => get('connection: Authorization\r\n')],
    ['a hop that is the length', () => post('connection: content-length\r\ncontent-length: 4\r\n', 'abcd')],
    ['an unknown expectation', () => post('expect: 200-ok\r\ncontent-length: 4\r\n', 'abcd')],
    ['an address with a scheme', () => get('').replace('/api/', 'http://x/api/')],
    ['an address without a path', () => get('').replace('GET /api/documents/my-documents', 'GET x:80')],
    ['an address that is a star', () => get('').replace('GET /api/documents/my-documents', 'OPTIONS *')],
    [
      'a version before the first',
      () => post('content-length: 4\r\n', 'abcd').replace('HTTP/1.1', 'HTTP/0.9'),
    ],
    ['a version to come', () => post('content-length: 4\r\n', 'abcd').replace('HTTP/1.1', 'HTTP/2.0')],
    ['a fragment in the address', () => get('').replace('my-documents', 'my-documents#x')],
    ['an unknown protocol to change to', () => get('connection: upgrade\r\nupgrade: h2c\r\n')],
    ['a change of protocol without its hop', () => get('upgrade: websocket\r\n')],
    [
      'a socket with a body',
      () =>
        'GET /socket.io/?EIO=4 HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
        'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\ncontent-length: 4\r\n\r\nabcd',
    ],
  ])('%s: 400, the connection is closed, and the following requests are ignored', async (_what, request) => {
    const { text, closed } = await send(request() + get(''));
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(closed).toBe(true);
    expect(seen).toEqual([]);
    expect(await ordinary()).toBe('GET /documents/my-documents');
  });

  it.each([
    [
      'a DELETE with an empty body',
      () => get('content-length: 0\r\n').replace('GET', 'DELETE'),
      'DELETE',
      '',
    ],
    [
      'chunks with extensions and trailers',
      () => post('transfer-encoding: chunked\r\n', '3;x=1\r\nabc\r\n0\r\nhost: y\r\n\r\n'),
      'POST',
      'abc',
    ],
    ['a length with leading zeros', () => post('content-length: 0003\r\n', 'abc'), 'POST', 'abc'],
  ])('%s is forwarded with a length that we set', async (_what, request, method, body) => {
    const path = method === 'DELETE' ? '/api/documents/x1' : '';
    await send(request().replace('/api/documents/my-documents', path), 300);
    expect(seen.map((one) => [one.line.split(' ')[0], one.body])).toEqual([[method, body]]);
    const [one] = seen;
    expect(one?.headers['transfer-encoding']).toBeUndefined();
    expect([one?.headers['content-length'] ?? '0', one?.headers['trailer']]).toEqual([
      String(body.length),
      undefined,
    ]);
    expect(one?.headers.host).not.toBe('y');
  });
});

describe('headers that only the gateway may set', () => {
  it('are never accepted from a client', async () => {
    const forged = [
      'forwarded',
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-forwarded-host',
      'x-forwarded-prefix',
      'x-forwarded-user',
      'x-real-ip',
      'true-client-ip',
      'via',
      'x-user-id',
      'x-auth-request-user',
      'x-internal-credential',
      'x-karaar-anything',
      'x-original-url',
      'x-http-method-override',
      'baggage',
      'tracestate',
      'b3',
      'x-b3-sampled',
    ];
    await send(get(forged.map((name) => `${name}: forged\r\n`).join('')), 300);
    const values = Object.entries(seen[0]?.headers ?? {}).filter(([, value]) => value === 'forged');
    expect([seen.length, values]).toEqual([1, []]);
  });

  it('include the sampling flag of a trace', async () => {
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    await send(get(`traceparent: ${trace}\r\n`), 300);
    expect(seen[0]?.headers['traceparent']).toBe(trace.replace(/00$/, '01'));
  });
});

describe('a connection to a service', () => {
  it('is not reused when its answer did not end properly', async () => {
    let answers = 0;
    const sloppy = createTcp((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        answers += 1;
        // Without the check, this would be the answer to the next request.
        const next = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison';
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}${next}`);
      });
    });
    const url = await listenOn(sloppy);
    const own = await startTestGateway({ env: { CMS_URL: url, UPSTREAM_CONNECTIONS: '1' } });
    try {
      for (let i = 0; i < 5; i += 1) {
        const res = await fetch(`${own.url}/api/cms/public/page-${i}`);
        expect([200, 503]).toContain(res.status);
        expect(await res.text()).not.toContain('poison');
      }
      expect(answers).toBeGreaterThan(0);
    } finally {
      await own.stop();
      sloppy.close();
    }
  });
});
