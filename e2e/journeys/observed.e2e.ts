/** Traces through all parts of the product, and the metrics of dashboards and alerts. */
import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { asked, OF_OTHERS } from '@karaar/k8s/observed';
import type { ReceivedSpan } from '@karaar/testing/servers/collector';
import { until } from '@karaar/testing/until';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { TRACED } from '../src/room.ts';

jest.setTimeout(60_000);

const SECRET = 'Lease between two people';
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];

const person = await newPerson(sharedProduct.url, 'Seen Rao', `+91977${String(Date.now()).slice(-7)}`);

const call = (path: string, traceparent: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${sharedProduct.url}/api${path}`, {
    ...init,
    headers: { authorization: `Bearer ${person.token}`, traceparent },
  });

/** Saves a draft as part of a trace. @returns its id */
async function keepDraft(traceparent: string): Promise<string> {
  const body = new FormData();
  body.set('save_as_draft', 'true');
  body.set('name', SECRET);
  const answer = await call('/documents/create', traceparent, { method: 'POST', body });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { document_id: string }).document_id;
}

it('one trace covers the gateway, HTTP, SQL and the broker, and contains no user data', async () => {
  const [traceId, caller] = [TRACED + randomBytes(14).toString('hex'), randomBytes(8).toString('hex')];
  const traceparent = `00-${traceId}-${caller}-01`;
  const id = await keepDraft(traceparent);
  // Payments calls documents' internal port; a new name goes to the other services by an event.
  await call(`/payments/document/${id}/calculate`, traceparent);
  const renamed = new FormData();
  renamed.set('name', `${SECRET} One`);
  await call('/users/profile', traceparent, { method: 'PUT', body: renamed });
  let trace: ReceivedSpan[] = [];
  const of = (service: string, kind: number, name: RegExp) =>
    trace.find((span) => span.service === service && span.kind === kind && name.test(span.name));
  await until('all parts have sent their spans', async () => {
    const spans = (await (await fetch(sharedProduct.traces)).json()) as ReceivedSpan[];
    trace = spans.filter((span) => span.traceId === traceId);
    const parts = new Set(trace.map(({ service }) => service));
    const known = new Set([caller, ...trace.map(({ spanId }) => spanId)]);
    // Each span has its parent in the same trace.
    expect(trace.filter(({ parentSpanId = '' }) => !known.has(parentSpanId))).toEqual([]);
    expect([...parts]).toEqual(
      expect.arrayContaining(['auth', 'documents', 'gateway', 'messaging', 'payments']),
    );
    return true;
  });
  const gateway = of('gateway', SERVER, /^POST \/documents\/create$/);
  expect(gateway).toMatchObject({ parentSpanId: caller });
  expect(of('documents', SERVER, /^POST \/documents\/create$/)).toMatchObject({
    parentSpanId: gateway?.spanId,
  });
  expect(of('documents', CLIENT, /^SQL INSERT/)).toBeDefined();
  const request = of('payments', CLIENT, /^documents \/internal\/chargeable$/);
  expect(request).toMatchObject({ parentSpanId: of('payments', SERVER, /calculate$/)?.spanId });
  const answer = of('documents', SERVER, /^POST \/internal\/chargeable$/);
  expect(answer).toMatchObject({ parentSpanId: request?.spanId });
  expect(trace).toContainEqual(
    expect.objectContaining({ service: 'documents', kind: CLIENT, parentSpanId: answer?.spanId }),
  );
  expect(of('messaging', CONSUMER, /auth\.user\./)).toBeDefined();
  for (const text of [SECRET, person.token, person.phone.slice(1), person.userId, id])
    expect(JSON.stringify(trace)).not.toContain(text);
});

it('the flag of a caller does not decide whether a trace is recorded', async () => {
  const traceId = TRACED + randomBytes(14).toString('hex');
  await keepDraft(`00-${traceId}-${'1'.repeat(16)}-00`);
  await until('its spans have been sent', async () => {
    const spans = (await (await fetch(sharedProduct.traces)).json()) as ReceivedSpan[];
    expect(spans.some((span) => span.traceId === traceId)).toBe(true);
    return true;
  });
});

describe('metrics', () => {
  let all: string;
  const scrape = async (url: string) => (await fetch(url)).text();

  beforeAll(async () => {
    // Each process has its metrics at its internal port, the gateway at METRICS_PORT.
    const texts = await Promise.all(
      Object.values(sharedProduct.inner).map((url) => scrape(`${url}/metrics`)),
    );
    all = [await scrape(sharedProduct.gatewayMetrics), ...texts].join('\n');
  });

  it('a running process reports every metric of the dashboards and alerts', () => {
    const told = new Set(
      [...all.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    // The gateway reports it only with TLS in front.
    told.add('gateway_tls_certificate_expires_at_seconds');
    expect([...asked()].filter((name) => !told.has(name) && !OF_OTHERS.has(name))).toEqual([]);
  });

  it('include rate, errors and duration by route, of the gateway and of the service', () => {
    const sent = (name: string) =>
      new RegExp(`^${name}_count\\{[^}]*route="POST /documents/create"[^}]*status="201"[^}]*\\} [1-9]`, 'm');
    expect(all).toMatch(sent('gateway_request_duration_seconds'));
    expect(all).toMatch(/^http_request_duration_seconds_count\{[^}]*documents\/create[^}]*\} [1-9]/m);
  });

  it.each([
    'outbox_oldest_seconds',
    'outbox_parked',
    'outbox_unpublished',
    'bus_events_backlog',
    'bus_dead_letters',
    'ledger_faults',
    'documents_jobs_waiting',
    'seal_certificate_expires_at_seconds',
  ])('%s has a value', (name) => {
    expect(all).toMatch(new RegExp(`^${name}(\\{[^}]*\\})? \\d`, 'm'));
  });

  it('are not on the public port', async () => {
    const text = await (await fetch(`${sharedProduct.url}/metrics`)).text();
    expect(text).not.toContain('gateway_request_duration_seconds');
  });
});
