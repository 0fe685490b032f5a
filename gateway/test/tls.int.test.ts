/** Services behind TLS: which certificates are trusted, and that everything works as without TLS. */
import { fork, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer as createHttps, type Server } from 'node:https';
import { connect, createServer as createTcp, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES } from '@karaar/contracts/services';
import { createAuthority, type Authority, type ServerCertificate } from '@karaar/testing/people/authority';
import { WebSocket, WebSocketServer } from 'ws';
import { DEAD_URL } from './harness.ts';

const MiB = 1024 * 1024;
const NAMES = ['DNS:localhost', 'IP:127.0.0.1'];

let folder: string;
let authority: Authority;
let stranger: Authority;
let gateway: ChildProcess;
let url: string;
let documents: Server;
let onRequest: RequestListener;
let messaging: Server;
let leaked = '';
const listening: { close(): void }[] = [];
const open = new Set<Socket>();

async function portOf(server: Server | ReturnType<typeof createTcp>): Promise<number> {
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  listening.push(server);
  return (server.address() as AddressInfo).port;
}

/** Starts a server with a certificate that must not be trusted. It records what it receives and answers. */
function impostor(certificate: ServerCertificate): Promise<number> {
  return portOf(
    createTls(certificate, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        leaked += data.toString('latin1');
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      });
    }),
  );
}

async function authorityIn(name: string): Promise<Authority> {
  const own = join(folder, name);
  await mkdir(own);
  return createAuthority(own);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-lines-tls-'));
  authority = await authorityIn('known');
  stranger = await authorityIn('unknown');
  const good = await authority.issue(NAMES);
  documents = createHttps(good, (req, res) => onRequest(req, res));
  messaging = createHttps(good);
  new WebSocketServer({ server: messaging }).on('connection', (end) =>
    end.on('message', (data) => end.send(data as Buffer)),
  );
  const env: Record<string, string> = {
    DOCUMENTS_URL: `https://localhost:${await portOf(documents)}`,
    // By its address, which is in the certificate too.
    MESSAGING_URL: `https://127.0.0.1:${await portOf(messaging)}`,
    WALLET_URL: `https://localhost:${await impostor(await authority.issue(['DNS:elsewhere.example', 'IP:127.0.0.2']))}`,
    AUTH_URL: `https://localhost:${await impostor(await stranger.issue(NAMES))}`,
    VISION_URL: `https://localhost:${await impostor(await authority.issue(NAMES, -1))}`,
    PAYMENTS_URL: `https://localhost:${await portOf(createTcp((socket) => void socket.on('error', () => undefined)))}`,
  };
  gateway = fork(fileURLToPath(new URL('./gateway-process.ts', import.meta.url)), {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      NODE_EXTRA_CA_CERTS: authority.certificateFile,
      PORT: '0',
      NATS_URL: 'nats://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
      QUEUE_TARGET_MS: '1000',
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, DEAD_URL])),
      ...env,
    },
    execArgv: [],
  });
  const [{ port }] = (await once(gateway, 'message')) as [{ port: number }];
  url = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  gateway.kill();
  for (const server of listening) server.close();
  for (const socket of open) socket.destroy();
  await rm(folder, { recursive: true, force: true });
});

const headers = { authorization: 'Bearer a.b.c' };
const get = (path: string) => fetch(url + path, { headers });
const post = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(url + path, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a service with its own name in a certificate of a trusted authority', () => {
  it('is called over one connection for successive requests, and over several for simultaneous ones', async () => {
    let secured = 0;
    documents.on('secureConnection', () => (secured += 1));
    onRequest = (req, res) => res.end(req.url);
    for (let i = 0; i < 10; i += 1) {
      const res = await get(`/api/documents/my-documents?n=${i}`);
      expect([res.status, await res.text()]).toEqual([200, `/documents/my-documents?n=${i}`]);
    }
    expect(secured).toBe(1);
    const many = Array.from({ length: 16 }, (_, i) => `/documents/my-documents?at=${i}`);
    const answers = await Promise.all(many.map(async (path) => (await get(`/api${path}`)).text()));
    expect(answers).toEqual(many);
  });

  it('answers several requests of one connection, each with its own answer', async () => {
    // The first answer comes last and keeps the others waiting in the gateway.
    onRequest = (req, res) => void setTimeout(() => res.end(`<${req.url}>`), req.url?.endsWith('0') ? 80 : 0);
    const browser = connect(Number(new URL(url).port), '127.0.0.1');
    const head = `HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a.b.c\r\n`;
    const paths = Array.from({ length: 8 }, (_, i) => `/documents/my-documents?own=${i}`);
    browser.write(
      paths.map((path, i) => `GET /api${path} ${head}${i === 7 ? 'connection: close\r\n' : ''}\r\n`).join(''),
    );
    expect((await text(browser)).match(/<[^>]+>/g)).toEqual(paths.map((path) => `<${path}>`));
  });

  it('receives a large upload and sends a large answer completely', async () => {
    const file = new Uint8Array(randomBytes(8 * MiB));
    onRequest = (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const all = Buffer.concat(chunks);
        res.writeHead(200, { 'content-type': 'application/pdf', 'x-sum': sha256(all) }).end(all);
      });
    };
    for (const body of [file, new Blob([file]).stream()]) {
      const res = await fetch(`${url}/api/documents/create`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
        body,
        duplex: 'half',
      } as RequestInit);
      expect([res.status, res.headers.get('x-sum')]).toEqual([200, sha256(file)]);
      expect(sha256(new Uint8Array(await res.arrayBuffer()))).toBe(sha256(file));
    }
  });

  it.each([
    [
      'says that it will',
      (res: { setHeader(name: string, value: string): unknown }) => res.setHeader('connection', 'close'),
    ],
    [
      'does so unasked',
      (res: { on(event: 'finish', then: () => void): unknown; socket: Socket | null }) => {
        const { socket } = res;
        res.on('finish', () => socket?.end());
      },
    ],
  ])('is reached again after it closes a connection: it %s', async (_how, closes) => {
    onRequest = (_req, res) => {
      closes(res);
      res.end('ok');
    };
    for (let i = 0; i < 10; i += 1) {
      const res = await post('/api/documents/create', '{}');
      expect([res.status, await res.text()]).toEqual([200, 'ok']);
    }
  });

  it('passes WebSockets both ways', async () => {
    const browser = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4`);
    await once(browser, 'open');
    browser.send(Buffer.from('hello'));
    const [back] = (await once(browser, 'message')) as [Buffer];
    expect(back.toString()).toBe('hello');
    browser.terminate();
  });
});

describe('an untrusted service', () => {
  it.each([
    ['a certificate for another name', '/api/wallet/create-razorpay-order'],
    ['a certificate of an unknown authority', '/api/auth/send-otp'],
    ['a certificate that has ended', '/api/documents/verification/validate'],
  ])('%s: 503, and nothing of the request leaves the gateway', async (_what, path) => {
    const body = JSON.stringify({ secret: 'x'.repeat(300_000) });
    // More often than opens the breaker: each is refused by itself, later ones at once.
    for (let i = 0; i < 12; i += 1) {
      const res = await post(path, i % 2 === 0 ? body : '{"secret":1}');
      expect(res.status).toBe(503);
      expect(await res.json()).toMatchObject({ code: 'service_unavailable' });
      expect(Number(res.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(leaked).toBe('');
  });

  it('that accepts the connection but never completes the handshake is treated like one that refuses it', async () => {
    const before = Date.now();
    const res = await get('/api/payments/my-payments');
    expect(res.status).toBe(503);
    // The connect timeout, not the deadline of the route.
    expect(Date.now() - before).toBeLessThan(6_000);
  });

  it('gets no WebSocket either', async () => {
    messaging.setSecureContext(await stranger.issue(NAMES));
    let upgraded = 0;
    messaging.on('upgrade', () => (upgraded += 1));
    const browser = connect(Number(new URL(url).port), '127.0.0.1');
    browser.write(
      'GET /socket.io/?EIO=4 HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
        'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    expect(await text(browser)).toMatch(/^HTTP\/1\.1 503 .*service_unavailable/s);
    expect(upgraded).toBe(0);
  });
});
