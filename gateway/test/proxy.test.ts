import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { bearer } from '@karaar/testing/tokens';
import { startTestGateway, until, type TestGateway } from './harness.ts';

const MiB = 1024 * 1024;
const UPLOAD = '/api/documents/create';

let gw: TestGateway;
let auth: { authorization: string };

beforeAll(async () => {
  gw = await startTestGateway({ env: { DEADLINE_MS: '1000', UPLOAD_STALL_MS: '3000' } });
  auth = bearer(await gw.tokens.user());
});
afterAll(() => {
  keepAlive.destroy();
  return gw.stop();
});
afterEach(() => {
  for (const name of Object.keys(gw.services)) Reflect.deleteProperty(gw.services, name);
});

/** Opens a request through the gateway whose body the test writes itself. */
const keepAlive = new Agent({ keepAlive: true });
function open(path: string, options: { method?: string; headers?: Record<string, string | number> } = {}) {
  const req = httpRequest(gw.url + path, {
    method: options.method ?? 'POST',
    headers: { ...auth, ...options.headers },
    agent: keepAlive,
  });
  const answer = once(req, 'response').then(([res]) => res as IncomingMessage);
  answer.catch(() => undefined);
  return { req, answer };
}

async function text(res: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('what a service receives', () => {
  it('is the path without /api, the query, the token and who asks, without hop-by-hop headers', async () => {
    let seen: IncomingMessage | undefined;
    gw.services.documents = (req, res) => {
      seen = req;
      res.end('{}');
    };
    const res = await fetch(`${gw.url}/api/documents/my-documents?limit=5&cursor=a%2Fb`, {
      headers: {
        ...auth,
        'x-request-id': 'request-0001',
        'x-forwarded-for': '203.0.113.9',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        te: 'trailers',
      },
    });
    expect(res.status).toBe(200);
    expect(seen?.url).toBe('/documents/my-documents?limit=5&cursor=a%2Fb');
    expect(seen?.headers.authorization).toBe(auth.authorization);
    expect(seen?.headers['x-request-id']).toBe('request-0001');
    expect(res.headers.get('x-request-id')).toBe('request-0001');
    expect(seen?.headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(seen?.headers['x-forwarded-proto']).toBe('http');
    expect(seen?.headers['x-forwarded-host']).toBe(new URL(gw.url).host);
    expect(seen?.headers.traceparent).toBe('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
    expect(seen?.headers.te).toBeUndefined();
  });

  it('gets a request id and a trace when the sender has none, or nonsense', async () => {
    const seen: IncomingMessage[] = [];
    gw.services.documents = (req, res) => {
      seen.push(req);
      res.end('{}');
    };
    const headers = { ...auth, 'x-request-id': 'no', traceparent: '00-xyz-01' };
    await fetch(`${gw.url}/api/documents/my-documents`, { headers });
    await fetch(`${gw.url}/api/documents/my-documents`, { headers: auth });
    const ids = seen.map((req) => req.headers['x-request-id']);
    expect(new Set(ids).size).toBe(2);
    for (const req of seen) {
      expect(req.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(req.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    }
  });

  it('does not get headers that the sender declares as meant for this hop', async () => {
    let seen: IncomingMessage | undefined;
    gw.services.documents = (req, res) => {
      seen = req;
      res.end('{}');
    };
    const { req, answer } = open('/api/documents/my-documents', {
      method: 'GET',
      headers: { connection: 'close, x-secret-hop', 'x-secret-hop': '1', 'x-kept': '1' },
    });
    req.end();
    (await answer).resume();
    expect(seen?.headers['x-secret-hop']).toBeUndefined();
    expect(seen?.headers['x-kept']).toBe('1');
  });

  it('serves signed files of a service without a token, below its own name', async () => {
    let seen = '';
    gw.services.documents = (req, res) => {
      seen = req.url ?? '';
      res.setHeader('content-security-policy', 'sandbox');
      res.end('bytes');
    };
    const res = await fetch(`${gw.url}/api/files/documents/abc.def?exp=1&sig=x`);
    expect(await res.text()).toBe('bytes');
    expect(seen).toBe('/files/abc.def?exp=1&sig=x');
    expect(res.headers.get('content-security-policy')).toBe('sandbox');
    expect((await fetch(`${gw.url}/api/files/unknown/abc`)).status).toBe(404);
  });

  it('passes a raw body on unchanged (webhook)', async () => {
    let body = '';
    gw.services.wallet = (req, res) => {
      void text(req).then((got) => {
        body = got;
        res.end('{"received":true}');
      });
    };
    const raw = '{"event": "payment.captured",  "x":1}\n';
    const res = await fetch(`${gw.url}/api/wallet/razorpay-webhook`, {
      method: 'POST',
      body: raw,
      headers: { 'content-type': 'application/json', 'x-razorpay-signature': 'abc' },
    });
    expect(res.status).toBe(200);
    expect(body).toBe(raw);
  });
});

describe('what the browser receives', () => {
  it('is the status, the headers and the body of the service, plus ours', async () => {
    gw.services.documents = (_req, res) => {
      res.writeHead(
        201,
        [
          ['x-own', 'a'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['etag', '"v1"'],
          ['x-powered-by', 'secret'],
          ['connection', 'close'],
        ].flat(),
      );
      res.end('{"ok":true}');
    };
    const res = await fetch(`${gw.url}/api/documents/my-documents`, { headers: auth });
    expect(res.status).toBe(201);
    expect(await res.json()).toEqual({ ok: true });
    expect(res.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(res.headers.get('etag')).toBe('"v1"');
    expect(res.headers.get('x-powered-by')).toBeNull();
    expect(res.headers.get('x-content-type-options')).toBe('nosniff');
    expect(res.headers.get('cache-control')).toBe('no-store');
    expect(res.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('is an answer to HEAD, to 204 and to 304 without a body', async () => {
    gw.services.documents = (req, res) => {
      if (req.headers['if-none-match'] !== undefined) res.writeHead(304).end();
      else if (req.method === 'DELETE') res.writeHead(204).end();
      else
        res
          .writeHead(200, { 'content-length': '12' })
          .end(req.method === 'HEAD' ? undefined : 'twelve bytes');
    };
    const head = await fetch(`${gw.url}/api/documents/my-documents`, { method: 'HEAD', headers: auth });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '12']);
    const kept = await fetch(`${gw.url}/api/documents/my-documents`, {
      headers: { ...auth, 'if-none-match': '"a"' },
    });
    expect(kept.status).toBe(304);
    const gone = await fetch(`${gw.url}/api/documents/a/remove-user/b`, { method: 'DELETE', headers: auth });
    expect(gone.status).toBe(204);
  });

  it('begins as soon as the service has begun, also without a first byte of the body', async () => {
    let finish: () => void = () => undefined;
    gw.services.documents = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.flushHeaders();
      finish = () => res.end('data: late\n\n');
    };
    const res = await fetch(`${gw.url}/api/documents/x/final-pdf`, { headers: auth });
    expect(res.headers.get('content-type')).toBe('text/event-stream');
    finish();
    expect(await res.text()).toBe('data: late\n\n');
  });

  it('is byte for byte the body of the service, short or long', async () => {
    for (const length of [1, 255, 16_384, 16_385, 300_000]) {
      const body = Buffer.from(Array.from({ length }, (_, i) => (i * 7) % 256));
      gw.services.documents = (_req, res) => {
        res.writeHead(200, { 'content-type': 'application/pdf', 'content-length': length }).end(body);
      };
      const res = await fetch(`${gw.url}/api/documents/x/final-pdf`, { headers: auth });
      expect(Buffer.from(await res.arrayBuffer()).equals(body)).toBe(true);
    }
  });

  it('streams: the first part arrives before the service has made the last', async () => {
    let finish: () => void = () => undefined;
    gw.services.documents = (_req, res) => {
      res.write('first');
      finish = () => res.end('last');
    };
    const res = await fetch(`${gw.url}/api/documents/x/final-pdf`, { headers: auth });
    const reader = res.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('last');
  });
});

describe('large bodies', () => {
  it('holds the sender back while the service takes nothing', async () => {
    let release: () => void = () => undefined;
    gw.services.documents = (req, res) => {
      req.pause();
      release = () => {
        req.resume();
        req.on('end', () => res.end('{}'));
      };
    };
    const { req, answer } = open(UPLOAD, { headers: { 'content-length': 60 * MiB } });
    let written = 0;
    const pump = (async () => {
      const chunk = Buffer.alloc(256 * 1024);
      while (written < 60 * MiB) {
        const room = req.write(chunk);
        written += chunk.length;
        if (!room) await once(req, 'drain');
      }
      req.end();
    })();
    await sleep(400);
    expect(written).toBeLessThan(40 * MiB);
    release();
    await pump;
    expect((await answer).statusCode).toBe(200);
  }, 60_000);

  it('holds the service back while the browser reads nothing', async () => {
    let written = 0;
    gw.services.documents = (_req, res) => {
      const chunk = Buffer.alloc(256 * 1024);
      const fill = () => {
        while (written < 100 * MiB) {
          written += chunk.length;
          if (!res.write(chunk)) {
            res.once('drain', fill);
            return;
          }
        }
        res.end();
      };
      fill();
    };
    const { req, answer } = open('/api/documents/x/final-pdf', { method: 'GET' });
    req.end();
    const res = await answer;
    await sleep(400);
    expect(written).toBeLessThan(50 * MiB);
    let read = 0;
    for await (const chunk of res) read += (chunk as Buffer).length;
    expect(read).toBe(100 * MiB);
  }, 60_000);

  it('refuses a body beyond the limit of its route before taking it', async () => {
    let reached = false;
    gw.services.auth = () => {
      reached = true;
    };
    const { req, answer } = open('/api/auth/login', {
      headers: { 'content-length': 5 * MiB, expect: '100-continue' },
    });
    let continued = false;
    req.on('continue', () => {
      continued = true;
    });
    req.flushHeaders();
    const res = await answer;
    expect(res.statusCode).toBe(413);
    expect(JSON.parse(await text(res))).toMatchObject({ code: 'payload_too_large' });
    expect([continued, reached]).toEqual([false, false]);
    req.destroy();
  });

  it('refuses a body of undeclared length once it is beyond the limit, and aborts the service', async () => {
    let aborted = false;
    let received = 0;
    gw.services.payments = (req) => {
      req.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      req.on('aborted', () => {
        aborted = true;
      });
      req.on('error', () => undefined);
    };
    const { req, answer } = open('/api/payments/create', { headers: { 'transfer-encoding': 'chunked' } });
    for (let sent = 0; sent < 2 * MiB; sent += 64 * 1024) req.write(Buffer.alloc(64 * 1024));
    const res = await answer;
    expect(res.statusCode).toBe(413);
    expect(JSON.parse(await text(res))).toEqual({
      detail: 'This is too large: at most 1 MB can be sent here.',
      code: 'payload_too_large',
    });
    await until(() => aborted, 'the service to see the abort');
    expect(received).toBeLessThanOrEqual(MiB);
    req.destroy();
  });

  it('asks for the body of an expectant sender only once the request may pass', async () => {
    gw.services.documents = (req, res) => {
      void text(req).then((got) => res.end(JSON.stringify({ got: got.length })));
    };
    const { req, answer } = open(UPLOAD, { headers: { 'content-length': 4, expect: '100-continue' } });
    req.flushHeaders();
    await once(req, 'continue');
    req.end('body');
    expect(JSON.parse(await text(await answer))).toEqual({ got: 4 });
  });

  it('gives the early answer of a service while the upload is still on its way', async () => {
    gw.services.documents = (_req, res) => {
      res.writeHead(422, { 'content-type': 'application/json' });
      res.end('{"detail":[{"loc":"name","msg":"is required"}],"code":"validation"}');
    };
    // A bare socket: Node's own client stops sending once it has an answer, browsers go on.
    const { port } = new URL(gw.url);
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (data: Buffer) => {
      answer += data.toString();
    });
    socket.write(`POST ${UPLOAD} HTTP/1.1\r\nhost: x\r\nauthorization: ${auth.authorization}\r\n`);
    socket.write(`content-length: ${30 * MiB}\r\n\r\n`);
    const chunk = Buffer.alloc(64 * 1024);
    for (let sent = 0; sent < 30 * MiB; sent += chunk.length) {
      if (!socket.write(chunk)) await once(socket, 'drain');
    }
    await until(() => answer.includes('"code":"validation"'), 'the early answer');
    expect(answer).toMatch(/^HTTP\/1.1 422 /);
    // The rest was read away: the same connection takes the next request.
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await until(() => answer.includes('{"status":"ok"}'), 'the next answer on the same connection');
    socket.destroy();
  });
});

describe('when one side goes away', () => {
  it('a browser that leaves while it waits aborts the work of the service', async () => {
    let started = false;
    let aborted = false;
    gw.services.documents = (req, res) => {
      started = true;
      res.on('close', () => {
        aborted = !res.writableFinished;
      });
      req.resume();
    };
    const { req, answer } = open('/api/documents/my-documents', { method: 'GET' });
    req.end();
    await until(() => started, 'the request to reach the service');
    req.destroy();
    await expect(answer).rejects.toThrow();
    await until(() => aborted, 'the service to see the abort');
  });

  it('a browser that leaves during its upload aborts it at the service', async () => {
    let started = false;
    let aborted = false;
    gw.services.documents = (req) => {
      req.on('data', () => {
        started = true;
      });
      req.on('aborted', () => {
        aborted = true;
      });
      req.on('error', () => undefined);
    };
    const { req } = open(UPLOAD, { headers: { 'content-length': 10 * MiB } });
    req.on('error', () => undefined);
    req.write(Buffer.alloc(MiB));
    await until(() => started, 'the upload to begin');
    req.destroy();
    await until(() => aborted, 'the service to see the abort');
  });

  it('a browser that leaves during a download stops it at the service', async () => {
    let closed = false;
    gw.services.documents = (_req, res) => {
      const timer = setInterval(() => res.write(Buffer.alloc(64 * 1024)), 5);
      res.on('close', () => {
        clearInterval(timer);
        closed = true;
      });
    };
    const { req, answer } = open('/api/documents/x/final-pdf', { method: 'GET' });
    req.end();
    const res = await answer;
    res.on('error', () => undefined);
    await once(res, 'data');
    req.destroy();
    await until(() => closed, 'the service to see the abort');
  });

  it('a service that dies in the middle of its answer cuts the connection: a part never looks like the whole', async () => {
    gw.services.documents = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/pdf' });
      res.write('half of it', () => res.destroy());
    };
    const { req, answer } = open('/api/documents/x/final-pdf', { method: 'GET' });
    req.end();
    await expect(text(await answer)).rejects.toThrow();
  });

  it('a service that cuts the connection before answering: one retry for a GET, 503 for the rest', async () => {
    const calls: string[] = [];
    gw.services.documents = (req) => {
      calls.push(req.method ?? '');
      req.socket.destroy();
    };
    const read = await fetch(`${gw.url}/api/documents/my-documents`, { headers: auth });
    expect(read.status).toBe(503);
    const write = await fetch(`${gw.url}/api/documents/a/approve/b`, { method: 'PUT', headers: auth });
    expect(write.status).toBe(503);
    expect(await write.json()).toEqual({
      detail: 'The documents service is not available right now. Please try again in a moment.',
      code: 'service_unavailable',
    });
    expect(calls).toEqual(['GET', 'GET', 'PUT']);
  });

  it('a service that answers the retry: the browser notices nothing', async () => {
    let calls = 0;
    gw.services.documents = (req, res) => {
      calls += 1;
      if (calls === 1) req.socket.destroy();
      else res.end('[]');
    };
    const res = await fetch(`${gw.url}/api/documents/my-documents`, { headers: auth });
    expect([res.status, await res.text(), calls]).toEqual([200, '[]', 2]);
  });
});

describe('deadlines', () => {
  it('a service that does not answer in time: 503 with a clear text, and its work is aborted', async () => {
    let aborted = false;
    gw.services.documents = (_req, res) => {
      res.on('close', () => {
        aborted = true;
      });
    };
    const before = Date.now();
    const res = await fetch(`${gw.url}/api/documents/my-documents`, { headers: auth });
    expect(Date.now() - before).toBeGreaterThanOrEqual(950);
    expect(res.status).toBe(503);
    expect(res.headers.get('retry-after')).toBe('1');
    expect(await res.json()).toEqual({
      detail: 'The documents service is taking too long to answer. Please try again in a moment.',
      code: 'deadline_exceeded',
    });
    await until(() => aborted, 'the service to see the abort');
  });

  it('an answer that has begun in time may take longer than the deadline', async () => {
    gw.services.documents = (_req, res) => {
      res.write('a');
      setTimeout(() => res.end('b'), 1_500);
    };
    const res = await fetch(`${gw.url}/api/documents/my-documents`, { headers: auth });
    expect(await res.text()).toBe('ab');
  });

  it('a long upload that makes progress is not cut by the deadline', async () => {
    gw.services.messaging = (req, res) => {
      void text(req).then((got) => res.end(JSON.stringify({ got: got.length })));
    };
    const { req, answer } = open('/api/messaging/send', { headers: { 'content-length': 1_000 } });
    for (let i = 0; i < 10; i += 1) {
      req.write(Buffer.alloc(100));
      await sleep(150);
    }
    req.end();
    expect(JSON.parse(await text(await answer))).toEqual({ got: 1_000 });
  });

  it('an upload that the browser stops sending: 408', async () => {
    gw.services.documents = (req) => {
      req.on('error', () => undefined);
      req.resume();
    };
    const { req, answer } = open(UPLOAD, { headers: { 'content-length': MiB } });
    req.write('a little');
    const res = await answer;
    expect(res.statusCode).toBe(408);
    expect(JSON.parse(await text(res))).toMatchObject({ code: 'upload_stalled' });
    req.destroy();
  });
});

describe('services that are down', () => {
  it('503 at once, also for an upload, and the connection goes on working', async () => {
    const down = await startTestGateway({ dead: ['documents'] });
    try {
      const token = bearer(await down.tokens.user());
      for (const [method, path, body] of [
        ['GET', '/api/documents/my-documents', undefined],
        ['POST', '/api/documents/create', 'x'.repeat(2 * MiB)],
      ] as const) {
        const before = Date.now();
        const res = await fetch(down.url + path, { method, headers: token, body });
        expect(res.status).toBe(503);
        expect(await res.json()).toMatchObject({ code: 'service_unavailable' });
        expect(Date.now() - before).toBeLessThan(3_000);
      }
      down.services.cms = (_req, res) => res.end('[]');
      expect((await fetch(`${down.url}/api/cms/pages`, { headers: token })).status).toBe(200);
    } finally {
      await down.stop();
    }
  });
});

describe('answers of more than a packet', () => {
  const LONG = JSON.stringify({
    items: Array.from({ length: 200 }, (_, id) => ({ id, name: 'An agreement' })),
  });
  const answering =
    (body: string, headers: Record<string, string> = {}) =>
    (_req: IncomingMessage, res: ServerResponse) => {
      const type = { 'content-type': 'application/json; charset=utf-8' };
      res.writeHead(200, { ...type, 'content-length': String(Buffer.byteLength(body)), ...headers });
      res.end(body);
    };
  /** The bytes as they came, which fetch would unpack. */
  async function plainly(encodings: string): Promise<{ headers: IncomingMessage['headers']; body: Buffer }> {
    const { req, answer } = open('/api/documents/my-documents', {
      method: 'GET',
      headers: { 'accept-encoding': encodings },
    });
    req.end();
    const res = await answer;
    const chunks: Buffer[] = [];
    for await (const chunk of res) chunks.push(chunk as Buffer);
    return { headers: res.headers, body: Buffer.concat(chunks) };
  }

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const)('are packed for "%s" by %s', async (accepted, encoding, unpack) => {
    gw.services.documents = answering(LONG, { etag: '"1"', vary: 'authorization' });
    const { headers, body } = await plainly(accepted);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'authorization, accept-encoding',
      etag: 'W/"1"',
    });
    expect(headers['content-length']).toBeUndefined();
    expect(body.length).toBeLessThan(LONG.length / 3);
    expect(unpack(body).toString()).toBe(LONG);
  });

  it.each([
    ['a short one', '{}', {}],
    ['one that is packed already', LONG, { 'content-encoding': 'identity' }],
    ['one that is not to be changed', LONG, { 'cache-control': 'no-transform' }],
    ['a picture', LONG, { 'content-type': 'image/png' }],
  ])('%s goes through as it is', async (_what, body, headers: Record<string, string>) => {
    gw.services.documents = answering(body, headers);
    const answer = await plainly('gzip, br');
    expect(answer.headers['content-length']).toBe(String(body.length));
    expect(answer.body.toString()).toBe(body);
  });

  it('and so does one for a client that takes no packing', async () => {
    gw.services.documents = answering(LONG);
    expect((await plainly('identity')).body.toString()).toBe(LONG);
  });

  it('are cut, not ended, when the service goes away in the middle', async () => {
    gw.services.documents = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': String(LONG.length) });
      res.write(LONG.slice(0, 2_000), () => res.destroy());
    };
    await expect(plainly('br')).rejects.toThrow();
  });
});
