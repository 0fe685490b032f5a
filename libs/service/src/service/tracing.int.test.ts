import { defineRoute } from '@karaar/contracts/kit';
import { startCollector, type Collector } from '@karaar/testing/servers/collector';
import { testNats, testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { connectBus, type Bus } from '@karaar/bus';
import { double, logger } from '@karaar/bus/testing/fixture';
import { createDb, type Db } from '@karaar/db';
import { createHttpApp, mountRoute, type HttpApp } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { openServerSpan, startTracing } from '@karaar/observability/telemetry';

let collector: Collector;
let database: TestDatabase;
let db: Db<object>;
let bus: Bus;
let app: HttpApp;
let stop: () => Promise<void>;

beforeAll(async () => {
  collector = await startCollector();
  stop = startTracing({ service: 'test', endpoint: collector.endpoint, ratio: 1, everyMs: 50 });
  database = await testPostgres('tracing');
  db = createDb({ url: database.url, applicationName: 'tracing' });
  bus = await connectBus({ url: await testNats(), name: 'ledger', logger });
  await bus.serve(double, async ({ n }) => ({ twice: 2 * n }));
  app = createHttpApp({ name: 'test', logger: createLogger({ name: 'test', level: 'silent' }) });
  const route = defineRoute({
    method: 'GET',
    path: '/things/:id',
    access: 'public',
    summary: 'A thing',
    params: Type.Object({ id: Type.String() }),
    response: { 200: Type.Object({ twice: Type.Integer() }) },
  });
  mountRoute(app, route, async ({ params }) => {
    await sql`select ${params.id}::text`.execute(db);
    return bus.request(double, { n: 21 });
  });
});

afterAll(async () => {
  await app.close();
  await bus.close();
  await db.destroy();
  await database.drop();
  await collector.stop();
});

it('puts HTTP, SQL and broker spans in one trace, below the caller’s span, without any value', async () => {
  const gateway = openServerSpan(undefined, 'GET /things/:id', { 'http.route': '/things/:id' });
  const answer = await app.inject({
    url: '/things/secret-4711',
    headers: { traceparent: gateway?.traceparent ?? '' },
  });
  gateway?.end({ 'http.response.status_code': answer.statusCode }, false);
  expect(answer.json()).toEqual({ twice: 42 });
  await stop();

  const [, traceId, gatewayId] = (gateway?.traceparent ?? '').split('-');
  const trace = collector.spans.filter((span) => span.traceId === traceId);
  const named = (name: string, kind: number) =>
    trace.find((span) => span.name === name && span.kind === kind);
  const [SERVER, CLIENT] = [2, 3];
  const http = trace.find((span) => span.parentSpanId === gatewayId);
  expect(http).toMatchObject({ name: 'GET /things/:id', kind: SERVER });
  expect(named('SQL SELECT', CLIENT)).toMatchObject({ parentSpanId: http?.spanId });
  const asked = named(double.subject, CLIENT);
  expect(asked).toMatchObject({ parentSpanId: http?.spanId });
  expect(named(double.subject, SERVER)).toMatchObject({ parentSpanId: asked?.spanId });
  const statement = named('SQL SELECT', CLIENT)?.attributes.find(({ key }) => key === 'db.query.text');
  expect(statement?.value.stringValue).toBe('select $1::text');
  expect(collector.text()).not.toContain('4711');
});
