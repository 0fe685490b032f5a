import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './harness.ts';
import { auth, DEADLINE_MS, gw, MiB, open, text, UPLOAD } from './proxied.ts';

function wire() {
  const socket = connect(Number(new URL(gw.url).port), '127.0.0.1');
  const got = { text: '', end: false };
  socket.on('data', (data: Buffer) => (got.text += data.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => (got.end = true));
  return { socket, got };
}

async function untilStill(figure: () => number): Promise<void> {
  for (let before = Number.NaN; before !== figure();) {
    before = figure();
    await sleep(400);
  }
}

/** More than the gateway buffers before it calls the service. */
const flowing = 'x'.repeat(100_000);
const flowingChunk = `${flowing.length.toString(16)}\r\n${flowing}\r\n`;

describe('large bodies', () => {
  it('slows the sender down while the service does not read', async () => {
    let release: (() => void) | undefined;
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
    await until(() => release !== undefined, 'the service to be asked');
    await untilStill(() => written);
    expect(written).toBeLessThan(40 * MiB);
    release?.();
    await pump;
    expect((await answer).statusCode).toBe(200);
  }, 60_000);

  it('slows the service down while the browser does not read', async () => {
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
    await untilStill(() => written);
    expect(written).toBeLessThan(50 * MiB);
    let read = 0;
    for await (const chunk of res) read += (chunk as Buffer).length;
    expect(read).toBe(100 * MiB);
  }, 60_000);

  it("refuses a body above the route's limit before it is sent", async () => {
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

  it('refuses a body of undeclared length once it exceeds the limit, and aborts the service', async () => {
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

  it('sends 100 Continue only once the request may pass', async () => {
    gw.services.documents = (req, res) => {
      void text(req).then((got) => res.end(JSON.stringify({ got: got.length })));
    };
    const { req, answer } = open(UPLOAD, { headers: { 'content-length': 4, expect: '100-continue' } });
    req.flushHeaders();
    await once(req, 'continue');
    req.end('body');
    expect(JSON.parse(await text(await answer))).toEqual({ got: 4 });
  });

  it('forwards an early answer of a service while the upload is still arriving', async () => {
    gw.services.documents = (_req, res) => {
      res.writeHead(422, { 'content-type': 'application/json' });
      res.end('{"detail":[{"loc":"name","msg":"is required"}],"code":"validation"}');
    };
    // A raw socket, because Node's client stops sending once it has an answer, but browsers go on.
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
    // The rest was read and dropped, so the connection accepts the next request.
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await until(() => answer.includes('{"status":"ok"}'), 'the next answer on the same connection');
    socket.destroy();
  });

  it.each([
    ['of a length that ends short', `content-length: ${MiB}\r\n\r\n${flowing}`, ''],
    ['in chunks that end short', `transfer-encoding: chunked\r\n\r\n${flowingChunk}`, ''],
    ['in chunks that break', `transfer-encoding: chunked\r\n\r\n${flowingChunk}`, 'not a chunk\r\n'],
  ])('writes nothing after the early answer to a body %s', async (_what, sent, rest) => {
    gw.services.documents = (_req, res) => res.end('{"early":true}');
    const { socket, got } = wire();
    socket.write(`POST ${UPLOAD} HTTP/1.1\r\nhost: x\r\nauthorization: ${auth.authorization}\r\n${sent}`);
    await until(() => got.text.includes('{"early":true}'), 'the early answer');
    socket.end(rest);
    await until(() => got.end, 'the end of the connection');
    expect(got.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });

  it('answers a complete request before malformed bytes, and sends nothing for those', async () => {
    let release: (() => void) | undefined;
    gw.services.documents = (_req, res) => (release = () => res.end('{"whole":true}'));
    const { socket, got } = wire();
    const head = `HTTP/1.1\r\nhost: x\r\nauthorization: ${auth.authorization}\r\n`;
    // In one write, so that the malformed bytes have been read before the service is called.
    socket.write(
      `GET /api/documents/my-documents ${head}\r\n` +
        `POST ${UPLOAD} ${head}transfer-encoding: chunked\r\n\r\nnot a chunk\r\n`,
    );
    await until(() => release !== undefined, 'the service to be asked');
    expect(got.text).toBe('');
    release?.();
    await until(() => got.end, 'the end of the connection');
    expect(got.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
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
    expect(Date.now() - before).toBeGreaterThanOrEqual(DEADLINE_MS - 50);
    expect(res.status).toBe(503);
    expect(['1', '2']).toContain(res.headers.get('retry-after'));
    expect(await res.json()).toEqual({
      detail: 'The documents service is taking too long to answer. Please try again in a moment.',
      code: 'deadline_exceeded',
    });
    await until(() => aborted, 'the service to see the abort');
  });

  it('an answer that has begun in time may take longer than the deadline', async () => {
    gw.services.documents = (_req, res) => {
      res.write('a');
      setTimeout(() => res.end('b'), DEADLINE_MS + 500);
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
      await sleep(DEADLINE_MS / 8);
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
