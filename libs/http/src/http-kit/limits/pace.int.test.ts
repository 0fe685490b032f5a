/** Slow request bodies are limited by their progress per window, never by their total time. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '../testing/http.ts';

const WINDOW_MS = 400;
let test: TestApp;
let release: () => void = () => undefined;

beforeAll(async () => {
  test = await startApp(
    (app) => {
      app.addContentTypeParser('application/octet-stream', (_req, payload, done) => done(null, payload));
      app.post('/held', async (req) => {
        await new Promise<void>((resolve) => (release = resolve));
        let bytes = 0;
        for await (const chunk of req.body as AsyncIterable<Buffer>) bytes += chunk.length;
        return { bytes };
      });
      app.post('/flowing', async (req) => {
        let bytes = 0;
        for await (const chunk of req.body as AsyncIterable<Buffer>) bytes += chunk.length;
        return { bytes };
      });
    },
    { pace: { windowMs: WINDOW_MS, minBytesPerS: 1_000 } },
  );
});
afterAll(() => test.app.close());

/**
 * Begins a request. @returns its connection, and the response once it is complete or the connection is closed
 */
async function begin(path: string, bytes: number): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const type = 'content-type: application/octet-stream';
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${type}\r\ncontent-length: ${bytes}\r\n\r\n`,
  );
  return { socket, text: () => text };
}

it('no port limits the total time of a request', () => {
  expect([test.app.server.requestTimeout, test.app.inner.server.requestTimeout]).toEqual([0, 0]);
});

it('a body that arrives steadily over many windows is accepted', async () => {
  const { socket, text } = await begin('/flowing', 20_000);
  const closed = once(socket, 'close');
  for (let sent = 0; sent < 20_000; sent += 1_000) {
    socket.write(Buffer.alloc(1_000));
    await sleep(WINDOW_MS / 4);
  }
  await closed;
  expect(text()).toContain('{"bytes":20000}');
});

it.each([
  ['never comes', 0],
  ['drips', 1],
])('a body that %s is rejected with 408', async (_what, bytes) => {
  const { socket, text } = await begin('/flowing', 20_000);
  const drip = setInterval(() => socket.write(Buffer.alloc(bytes)), WINDOW_MS / 8);
  await once(socket, 'close');
  clearInterval(drip);
  expect(text()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
});

it('a body that the service does not read yet is not rejected', async () => {
  const size = 4 * 1024 * 1024;
  const { socket, text } = await begin('/held', size);
  const closed = once(socket, 'close');
  socket.write(Buffer.alloc(size));
  await sleep(WINDOW_MS * 4);
  expect(text()).toBe('');
  release();
  await closed;
  expect(text()).toContain(`{"bytes":${size}}`);
});
