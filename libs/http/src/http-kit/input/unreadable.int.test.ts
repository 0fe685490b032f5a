/** Bytes that are not an HTTP request: their error never becomes the response to another request. */
import { connect } from 'node:net';
import { createLogger } from '@karaar/observability/logging';
import { createHttpApp, type HttpApp } from '../index.ts';

let app: HttpApp;
let port: number;

beforeAll(async () => {
  app = createHttpApp({ name: 'test', logger: createLogger({ name: 'test', level: 'silent' }) });
  app.get('/slow', (_req, reply) => {
    setTimeout(() => void reply.send({ whole: true }), 100);
  });
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => app.close());

async function send(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  return text;
}

it('are rejected as the first bytes of a connection', async () => {
  expect(await send('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"malformed_request"/);
});

it('get no response behind a running request, which gets its own', async () => {
  const text = await send('GET /slow HTTP/1.1\r\nhost: x\r\n\r\nNONSENSE\r\n\r\n');
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(text).toContain('{"whole":true}');
});
