import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { until } from '@karaar/testing/until';
import { auth, gw, open, text } from './proxied.ts';

describe('the request at the service', () => {
  it('has the path without /api, the query, the token and the client’s address, without hop-by-hop headers', async () => {
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

  it('gets a request id and a trace if the client sends none or an invalid one', async () => {
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

  it('lacks headers that the client declares as hop-by-hop', async () => {
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

  it('reaches signed files without a token, under the service’s name', async () => {
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

  it('has the unchanged raw body (webhook)', async () => {
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

describe('the answer at the browser', () => {
  it('has the status, headers and body of the service, and our headers', async () => {
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

  it('has no body for HEAD, 204 and 304', async () => {
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
    const response = await fetch(`${gw.url}/api/documents/a/remove-user/b`, {
      method: 'DELETE',
      headers: auth,
    });
    expect(response.status).toBe(204);
  });

  it('begins as soon as the service has begun, even without a first byte of the body', async () => {
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

  it('has exactly the service’s body, short or long', async () => {
    for (const length of [1, 255, 16_384, 16_385, 300_000]) {
      const body = Buffer.from(Array.from({ length }, (_, i) => (i * 7) % 256));
      gw.services.documents = (_req, res) => {
        res.writeHead(200, { 'content-type': 'application/pdf', 'content-length': length }).end(body);
      };
      const res = await fetch(`${gw.url}/api/documents/x/final-pdf`, { headers: auth });
      expect(Buffer.from(await res.arrayBuffer()).equals(body)).toBe(true);
    }
  });

  it('matches its request when several are sent on one connection, with other answers in between', async () => {
    let release: (() => void) | undefined;
    gw.services.documents = (_req, res) => {
      release = () => res.end('{"first":true}');
    };
    gw.services.wallet = (req, res) => res.end(JSON.stringify({ of: req.headers['x-request-id'] }));
    const { port, host } = new URL(gw.url);
    const socket = connect(Number(port), '127.0.0.1');
    const ask = (path: string, id: string) =>
      `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-request-id: ${id}\r\nauthorization: ${auth.authorization}\r\n\r\n`;
    socket.write(ask('/api/documents/my-documents', 'mine-0001') + ask('/api/wallet/balance', 'mine-0002'));
    let got = '';
    socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
    await until('the first is asked', () => release);
    // The other answers use the same connection to the service.
    for (const _ of Array(5).keys())
      await fetch(`${gw.url}/api/wallet/balance`, { headers: { ...auth, 'x-request-id': 'other-999' } });
    release?.();
    await until('both are answered', () => got.match(/HTTP\/1\.1 200/g)?.length === 2 && got.endsWith('}'));
    socket.destroy();
    expect(got).toContain('{"first":true}');
    expect(got).toContain('{"of":"mine-0002"}');
  });

  it('is streamed: the first part arrives before the service has sent the last', async () => {
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
  /** Returns the raw bytes, which fetch would decompress. */
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
  ] as const)('are compressed for "%s" with %s', async (accepted, encoding, unpack) => {
    gw.services.documents = answering(LONG, { etag: '"1"', vary: 'authorization' });
    const { headers, body } = await plainly(accepted);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'authorization, accept-encoding',
      etag: 'W/"1"',
    });
    expect(Number(headers['content-length'])).toBe(body.length);
    expect(body.length).toBeLessThan(LONG.length / 3);
    expect(unpack(body).toString()).toBe(LONG);
  });

  it('are compressed even if their length is unknown, as for an export', async () => {
    gw.services.documents = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/csv' });
      res.write('name,days\n');
      res.end('An agreement,7\n'.repeat(500));
    };
    const { headers, body } = await plainly('br');
    expect(headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(body).toString()).toBe(`name,days\n${'An agreement,7\n'.repeat(500)}`);
  });

  it.each([
    ['a short one', '{}', {}],
    ['one that is packed already', LONG, { 'content-encoding': 'identity' }],
    ['one that is not to be changed', LONG, { 'cache-control': 'no-transform' }],
    ['a picture', LONG, { 'content-type': 'image/png' }],
  ])('%s is not compressed', async (_what, body, headers: Record<string, string>) => {
    gw.services.documents = answering(body, headers);
    const answer = await plainly('gzip, br');
    expect(answer.headers['content-length']).toBe(String(body.length));
    expect(answer.body.toString()).toBe(body);
  });

  it('are not compressed for a client that does not accept it', async () => {
    gw.services.documents = answering(LONG);
    expect((await plainly('identity')).body.toString()).toBe(LONG);
  });

  it('are cut, not ended, when the service disconnects in the middle', async () => {
    gw.services.documents = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': String(LONG.length) });
      res.write(LONG.slice(0, 2_000), () => res.destroy());
    };
    await expect(plainly('br')).rejects.toThrow();
  });
});
