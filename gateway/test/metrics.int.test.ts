import { createInnerApp } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { startTestGateway, type TestGateway } from './harness.ts';

let test: TestGateway;
let metrics: ReturnType<typeof createInnerApp>;
let url: string;

beforeAll(async () => {
  test = await startTestGateway();
  metrics = createInnerApp({
    logger: createLogger({ name: 'test', level: 'silent' }),
    isDraining: () => false,
  });
  url = await metrics.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await metrics.close();
  await test.stop();
});

it('counts requests by route pattern and status, never by path', async () => {
  test.services.cms = (_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  await (await fetch(`${test.url}/api/cms/public/about-4711`)).text();
  await (await fetch(`${test.url}/api/no-such-call-4711`)).text();
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain(
    'gateway_request_duration_seconds_count{route="GET /cms/public/:id",status="200"} 1',
  );
  expect(text).toContain('gateway_request_duration_seconds_count{route="other",status="404"} 1');
  expect(text).toContain('gateway_websockets_open 0');
  expect(text).not.toContain('4711');
});

it('serves metrics only on their own port, and nothing else there', async () => {
  expect((await fetch(`${url}/healthz`)).status).toBe(404);
  const publicly = await fetch(`${test.url}/metrics`);
  expect(await publicly.text()).not.toContain('gateway_request_duration_seconds');
});
