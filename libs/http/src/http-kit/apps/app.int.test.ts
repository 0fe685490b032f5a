import { connect } from 'node:net';
import { defineRoute } from '@karaar/contracts/kit';
import { until } from '@karaar/testing/until';
import { Registry } from 'prom-client';
import { Type } from 'typebox';
import { json, startApp, wire, type TestApp } from '../testing/http.ts';
import { conflict } from '@karaar/base/errors';
import { mountRoute } from '../index.ts';

const echo = defineRoute({
  method: 'POST',
  path: '/things/:id',
  access: 'public',
  summary: 'Says back what came',
  params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
  query: Type.Object({ page: Type.Integer({ minimum: 1, default: 1 }), deep: Type.Optional(Type.Boolean()) }),
  body: Type.Object({ name: Type.String({ minLength: 1 }), count: Type.Optional(Type.Integer()) }),
  response: { 200: Type.Object({ id: Type.Integer(), page: Type.Integer(), name: Type.String() }) },
});
const fail = defineRoute({
  method: 'GET',
  path: '/fail/:how',
  access: 'public',
  summary: 'Fails in the asked way',
  params: Type.Object({ how: Type.String() }),
  response: { 200: Type.Object({ ok: Type.Boolean() }) },
  timeoutMs: 1_000,
});
const create = defineRoute({
  method: 'POST',
  path: '/create',
  access: 'public',
  summary: 'Two successful answers',
  body: Type.Object({ later: Type.Optional(Type.Boolean()) }),
  response: { 201: Type.Object({ id: Type.String() }), 202: Type.Object({ state: Type.String() }) },
});
const file = defineRoute({
  method: 'GET',
  path: '/file',
  access: 'public',
  summary: 'Bytes',
  response: { 200: 'binary' },
});

const ip = defineRoute({
  method: 'GET',
  path: '/ip',
  access: 'public',
  summary: 'Who calls',
  response: { 200: Type.Object({ ip: Type.String() }) },
});

const SECRET = 'the password is hunter2';
let lateAborted: unknown;

function mount(app: TestApp['app']) {
  mountRoute(app, echo, async ({ params, query, body }) => ({
    id: params.id,
    page: query.page,
    name: body.name,
    extra: 1,
  }));
  mountRoute(app, create, async ({ body, reply }) => {
    if (!body.later) return { id: 'x' };
    reply.code(202);
    return { state: 'running' };
  });
  mountRoute(app, ip, async ({ req }) => ({ ip: req.ip }));
  mountRoute(app, file, async () => ({
    body: Buffer.from('%PDF-'),
    mime: 'application/pdf',
    filename: 'करार "1".pdf',
  }));
  mountRoute(app, fail, async ({ params, signal }) => {
    if (params.how === 'known') throw conflict('already_finalized', 'This document is finalized.');
    if (params.how === 'slow') {
      signal.addEventListener('abort', () => (lateAborted = signal.reason));
      await new Promise((resolve) => setTimeout(resolve, 1_600));
      throw new Error('failed after the deadline');
    }
    if (params.how === 'shape') return JSON.parse('{"ok":{}}') as { ok: boolean };
    if (params.how === 'down') throw Object.assign(new Error(`connect ${SECRET}`), { code: 'ECONNREFUSED' });
    throw new TypeError(SECRET);
  });
}

describe('createHttpApp', () => {
  let test: TestApp;
  const registry = new Registry();
  let databaseHangs = false;

  beforeAll(async () => {
    test = await startApp(mount, {
      registry,
      bodyLimit: 10_000,
      readiness: {
        database: () => (databaseHangs ? new Promise(() => undefined) : Promise.resolve()),
        bus: async () => undefined,
      },
    });
  });
  afterAll(() => test.app.close());

  const get = (path: string, init?: RequestInit) => fetch(`${test.url}${path}`, init);

  describe('health', () => {
    it('reports that the process is alive', async () => {
      expect(await wire(get('/healthz'))).toEqual({ status: 200, body: { status: 'ok' } });
    });

    it('names the failed dependencies, within its deadline', async () => {
      expect(await wire(get('/readyz'))).toEqual({
        status: 200,
        body: { status: 'ok', checks: { database: 'ok', bus: 'ok' } },
      });
      databaseHangs = true;
      expect(await wire(get('/readyz'))).toEqual({
        status: 503,
        body: { status: 'failed', checks: { database: 'failed', bus: 'ok' } },
      });
      // A failed shared dependency does not take every replica out of service.
      expect(await wire(get('/readyz/self'))).toEqual({ status: 200, body: { status: 'ok' } });
      databaseHangs = false;
    });
  });

  describe('input', () => {
    it('is converted and filled with defaults, and the response contains only properties of the contract', async () => {
      expect(await wire(get('/things/7?deep=true', json({ name: 'x' })))).toEqual({
        status: 200,
        body: { id: 7, page: 1, name: 'x' },
      });
    });

    it('is rejected with all faults of path, query and body in one list', async () => {
      expect(await wire(get('/things/x?page=0&deep=maybe', json({ name: '', count: 1.5 })))).toEqual({
        status: 422,
        body: {
          code: 'validation',
          detail: [
            { loc: 'id', msg: 'must be a whole number' },
            { loc: 'page', msg: 'must be at least 1' },
            { loc: 'deep', msg: 'must be true or false' },
            { loc: 'name', msg: 'must not be empty' },
            { loc: 'count', msg: 'must be a whole number' },
          ],
        },
      });
    });

    it('may be JSON, urlencoded or multipart', async () => {
      const form = new FormData();
      form.set('name', 'x');
      form.set('count', '3');
      for (const init of [
        json({ name: 'x', count: 3 }),
        { method: 'POST', body: new URLSearchParams({ name: 'x', count: '3' }) },
        { method: 'POST', body: form },
      ]) {
        expect(await wire(get('/things/1', init))).toMatchObject({ status: 200, body: { name: 'x' } });
      }
    });

    it('does not accept a string for a number in JSON, and treats no property name specially', async () => {
      expect(await wire(get('/things/1', json({ name: 'x', count: '3' })))).toMatchObject({ status: 422 });
      expect(await wire(get('/things/1', json('{"name":"x","__proto__":{"a":1}}')))).toMatchObject({
        status: 400,
      });
      const magic = new URLSearchParams({ name: 'x', constructor: 'z' });
      magic.append('__proto__', 'y');
      expect(await wire(get('/things/1', { method: 'POST', body: magic }))).toMatchObject({ status: 200 });
    });

    it.each([
      ['half a document', json('{"name":'), 400, 'malformed_json'],
      ['an empty document', json(''), 422, 'validation'],
      ['a list', json([]), 422, 'validation'],
      [
        'another type',
        { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } },
        415,
        'unsupported_media',
      ],
      ['no type', { method: 'POST', body: new Uint8Array([1]) }, 415, 'unsupported_media'],
      ['too much', json({ name: 'x'.repeat(10_001) }), 413, 'payload_too_large'],
      [
        'no boundary',
        { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data' } },
        400,
        'malformed_form',
      ],
      [
        'a broken form',
        { method: 'POST', body: '--b\r\nx', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
        400,
        'malformed_form',
      ],
    ])('rejects %s as a body', async (_what, init, status, code) => {
      const answer = await wire(get('/things/1', init));
      expect(answer).toMatchObject({ status, body: { code, detail: expect.anything() } });
    });

    it('rejects undecodable addresses, and answers 404 for unknown ones', async () => {
      expect(await wire(get('/things/%zz'))).toMatchObject({
        status: 400,
        body: { code: 'malformed_request' },
      });
      expect(await wire(get('/nowhere'))).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await wire(get('/things/%00', json({ name: 'x' })))).toMatchObject({ status: 422 });
    });

    it('answers bytes that are not HTTP in the same error shape', async () => {
      const { port } = new URL(test.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write('NONSENSE\r\n\r\n');
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      const [head, body] = text.split('\r\n\r\n');
      expect(head).toContain('400 Bad Request');
      expect(JSON.parse(body ?? '')).toEqual({
        detail: 'The request could not be understood.',
        code: 'malformed_request',
      });
    });
  });

  describe('errors', () => {
    it('sends an AppError unchanged', async () => {
      expect(await wire(get('/fail/known'))).toEqual({
        status: 409,
        body: { detail: 'This document is finalized.', code: 'already_finalized' },
      });
    });

    it('hides the details of an unknown error, and logs it with the request id', async () => {
      const answer = await get('/fail/unknown', { headers: { 'x-request-id': 'request-4711' } });
      expect(answer.status).toBe(500);
      expect(await answer.text()).toBe(
        '{"detail":"Something went wrong. Please try again.","code":"internal"}',
      );
      const line = test.log
        .lines()
        .find((entry) => entry.msg === 'Request failed' && entry.reqId === 'request-4711');
      expect(line).toMatchObject({
        level: 'error',
        err: { type: 'TypeError', stack: expect.stringContaining('app.int.test') },
      });
    });

    it('answers 503 without an address when a dependency is down', async () => {
      const answer = await get('/fail/down');
      expect(answer.status).toBe(503);
      expect(await answer.text()).not.toContain(SECRET);
    });

    it('answers 503 at the deadline, aborts the handler’s signal, and survives its late failure', async () => {
      expect(await wire(get('/fail/slow'))).toEqual({
        status: 503,
        body: { detail: 'This took too long. Please try again in a moment.', code: 'timeout' },
      });
      expect(lateAborted).toMatchObject({ code: 'timeout' });
      const late = 'Work failed after its deadline';
      await until('it has failed late', () => test.log.lines().some(({ msg }) => msg === late));
    });
  });

  describe('responses', () => {
    it('have the lowest successful status of the contract, or the one that the handler chose', async () => {
      expect(await wire(get('/create', json({})))).toEqual({ status: 201, body: { id: 'x' } });
      expect(await wire(get('/create', json({ later: true })))).toEqual({
        status: 202,
        body: { state: 'running' },
      });
    });

    it('may be bytes with a type and a file name', async () => {
      const answer = await get('/file');
      expect(await answer.text()).toBe('%PDF-');
      expect(answer.headers.get('content-type')).toBe('application/pdf');
      expect(answer.headers.get('content-length')).toBe('5');
      const disposition = answer.headers.get('content-disposition') ?? '';
      expect(disposition).toMatch(/^inline; filename="[\x20-\x7e]+\.pdf"; filename\*=UTF-8''/);
      expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe('करार "1".pdf');
    });

    it('carry the request id: the given one if it is well-formed, else a new one', async () => {
      const id = async (given?: string) =>
        (await get('/healthz', given ? { headers: { 'x-request-id': given } } : {})).headers.get(
          'x-request-id',
        );
      expect(await id('abc-DEF_12345')).toBe('abc-DEF_12345');
      expect(await id('a"b{}\\')).toMatch(/^[0-9a-f-]{36}$/);
      expect(await id()).not.toBe(await id());
    });

    it('forbid content sniffing and caching', async () => {
      const { headers } = await get('/create', json({}));
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    });
  });

  it('trust X-Forwarded-For from a proxy on the private network only', async () => {
    const ip = async (forwarded: string) => {
      const answer = await get('/ip', { headers: { 'x-forwarded-for': forwarded } });
      return ((await answer.json()) as { ip: string }).ip;
    };
    expect(await ip('203.0.113.9')).toBe('203.0.113.9');
    expect(await ip('6.6.6.6, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
  });

  it('log one line each, with the route pattern and never the address', async () => {
    const init = json({ name: 'x' }, { 'x-request-id': 'one-line-please' });
    await get('/things/31337?page=1&phone=9876543210', init);
    const answered = () =>
      test.log.lines().find((entry) => entry.msg === 'Answered' && entry.reqId === 'one-line-please');
    // The line is written after the response is sent, perhaps after the client received it.
    await until('the line is written', answered);
    const line = answered();
    expect(line).toMatchObject({
      method: 'POST',
      route: '/things/:id',
      status: 200,
    });
    expect(test.log.text()).not.toMatch(/31337|9876543210/);
  });

  it('are counted with errors and duration by route pattern', async () => {
    registry.resetMetrics();
    await get('/things/1', json({ name: 'x' }));
    await get('/things/2', json({ name: '' }));
    await get('/never/heard/of');
    const text = await (await fetch(`${test.innerUrl}/metrics`)).text();
    const series = (route: string, status: number) =>
      `http_request_duration_seconds_count{method="${route === 'unknown' ? 'GET' : 'POST'}",route="${route}",status="${status}"} 1`;
    expect(text).toContain(series('/things/:id', 200));
    expect(text).toContain(series('/things/:id', 422));
    expect(text).toContain(series('unknown', 404));
    expect(text).toMatch(/http_requests_in_flight 1\n/);
  });
});
