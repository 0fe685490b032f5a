import { once } from 'node:events';
import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { createLogger } from '@karaar/observability/logging';
import { createHttpApp } from '../index.ts';

it('counts a request whose client disconnected as 499, and leaves none in flight', async () => {
  const registry = new Registry();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const app = createHttpApp({ name: 'test', logger, registry });
  try {
    let gone: Promise<unknown> | undefined;
    const asked = new Promise<void>((resolve) => {
      app.get('/slow', (_req, reply) => {
        gone = once(reply.raw, 'close');
        resolve();
      });
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
    await asked;
    socket.destroy();
    await gone;
    const text = await registry.metrics();
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/slow",status="499"} 1');
    expect(text).toContain('http_requests_in_flight 0');
  } finally {
    await app.close();
  }
});
