import { defineRoute } from '@karaar/contracts/kit';
import { Type } from 'typebox';
import { startApp, wire, type TestApp } from '../testing/http.ts';
import type { Principal, TokenVerifier } from '../../auth/index.ts';
import { forbidden, unauthorized, unavailable } from '@karaar/base/errors';
import { mountRoute } from '../index.ts';

const answer = { 200: Type.Object({ userId: Type.String() }) };
const userRoute = defineRoute({
  method: 'POST',
  path: '/mine',
  access: 'user',
  summary: 'A user route',
  response: answer,
});
const adminRoute = defineRoute({
  method: 'GET',
  path: '/admin/all',
  access: 'admin',
  roles: ['super-admin', 'support'],
  summary: 'An admin route',
  response: answer,
});
const formRoute = defineRoute({
  method: 'POST',
  path: '/upload',
  access: 'user',
  summary: 'A form',
  multipart: { fields: Type.Object({}), files: { f: { maxBytes: 1_000_000, accept: ['any'] } } },
  response: answer,
});

const objectRoute = defineRoute({
  method: 'PUT',
  path: '/things/:id',
  access: 'user',
  summary: 'A route about an object',
  params: Type.Object({ id: Type.String() }),
  multipart: {
    fields: Type.Object({ reason: Type.String() }),
    files: { f: { maxBytes: 1_000, accept: ['any'] } },
  },
  response: answer,
});

/** Replaces the verifier, which has its own tests: these test how the guard uses its answers. */
const verifier: TokenVerifier = {
  async verify(token): Promise<Principal> {
    const [, audience, role] = token.split('.');
    if (audience === 'down') throw unavailable('auth_unavailable', 'Sign-in cannot be checked right now.');
    if (audience !== 'user' && audience !== 'admin')
      throw unauthorized('invalid_token', 'Please sign in again.');
    return { userId: 'u1', sessionId: 's1', charId: 'ABCD2345', audience, ...(role === 'y' ? {} : { role }) };
  },
};

describe('the access guard', () => {
  let test: TestApp;
  let handled = 0;

  beforeAll(async () => {
    test = await startApp(
      (app) => {
        for (const route of [userRoute, adminRoute, formRoute]) {
          mountRoute(app, route, async ({ principal }) => {
            handled += 1;
            return { userId: principal.userId };
          });
        }
        mountRoute(app, objectRoute, async ({ principal }) => ({ userId: principal.userId }), {
          rightsFirst: async ({ params }) => {
            if (params['id'] !== 'own') throw forbidden('not_involved', 'This is not yours.');
          },
        });
      },
      { verifier },
    );
  });
  afterAll(() => test.app.close());
  beforeEach(() => {
    handled = 0;
  });

  const call = (
    path: string,
    method: string,
    headers: Record<string, string> = {},
    body?: string | FormData | URLSearchParams,
  ) => wire(fetch(`${test.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }));
  const as = (audience: string, role = 'y') => ({ authorization: `Bearer x.${audience}.${role}` });

  it('admits a token of the right audience', async () => {
    expect(await call('/mine', 'POST', as('user'))).toEqual({ status: 200, body: { userId: 'u1' } });
    expect(await call('/admin/all', 'GET', as('admin', 'support'))).toEqual({
      status: 200,
      body: { userId: 'u1' },
    });
  });

  it('rejects the other audience with 403', async () => {
    for (const refused of [call('/mine', 'POST', as('admin')), call('/admin/all', 'GET', as('user'))]) {
      expect(await refused).toEqual({
        status: 403,
        body: { detail: expect.any(String), code: 'wrong_audience' },
      });
    }
    expect(handled).toBe(0);
  });

  it('rejects an admin with another role or without one with 403', async () => {
    for (const role of ['editor', 'y']) {
      expect(await call('/admin/all', 'GET', as('admin', role))).toEqual({
        status: 403,
        body: { detail: expect.any(String), code: 'role_forbidden' },
      });
    }
    expect(handled).toBe(0);
  });

  it('does not start with an admin route that names no roles', async () => {
    const { roles: _roles, ...forgotten } = adminRoute;
    const start = startApp(
      (app) => {
        mountRoute(app, forgotten, async () => ({ userId: 'x' }));
      },
      { verifier },
    );
    await expect(start).rejects.toThrow('GET /admin/all names no admin roles');
  });

  it.each([
    ['no token', {}],
    ['a token in a cookie', { cookie: 'token=x.user.y; access_token=x.user.y' }],
    ['a token without its scheme', { authorization: 'x.user.y' }],
    ['another scheme', { authorization: 'Basic x.user.y' }],
    ['two tokens', { authorization: 'Bearer x.user.y x.user.y' }],
    ['a token that the verifier refuses', { authorization: 'Bearer x.nobody.y' }],
  ])('rejects %s with 401', async (_what, headers) => {
    expect(await call('/mine', 'POST', headers as Record<string, string>)).toMatchObject({
      status: 401,
      body: { detail: expect.any(String), code: expect.any(String) },
    });
    expect(handled).toBe(0);
  });

  it('ignores tokens in the query or the body', async () => {
    const query = 'token=x.user.y&access_token=x.user.y&authorization=Bearer%20x.user.y';
    expect(await call(`/mine?${query}`, 'POST')).toMatchObject({ status: 401 });
    expect(await call('/mine', 'POST', {}, new URLSearchParams(query))).toMatchObject({ status: 401 });
  });

  it('answers 503 if the session cannot be checked', async () => {
    expect(await call('/mine', 'POST', as('down'))).toMatchObject({
      status: 503,
      body: { code: 'auth_unavailable' },
    });
  });

  it('rejects before it reads the body', async () => {
    const form = new FormData();
    form.set('f', new Blob([new Uint8Array(2_000_000)]), 'large.bin');
    expect(await call('/upload', 'POST', {}, form)).toMatchObject({ status: 401 });
    expect(await call('/mine', 'POST', { 'content-type': 'application/json' }, '{"broken')).toMatchObject({
      status: 401,
    });
  });

  it('asks for the right to an object before it names the faults of a body', async () => {
    const large = new FormData();
    large.set('f', new Blob([new Uint8Array(2_000_000)]), 'large.bin');
    const json = { 'content-type': 'application/json' };
    const bodies: [Record<string, string>, string | FormData | undefined, number][] = [
      [{}, undefined, 422],
      [json, '[]', 422],
      [json, '{"broken', 400],
      [{ 'content-type': 'text/x' }, 'x', 415],
      [{}, large, 413],
    ];
    for (const [headers, body, status] of bodies) {
      const send = (id: string) => call(`/things/${id}`, 'PUT', { ...as('user'), ...headers }, body);
      expect(await send('own')).toMatchObject({ status });
      expect(await send('foreign')).toMatchObject({ status: 403, body: { code: 'not_involved' } });
    }
    const form = new FormData();
    form.set('reason', 'because');
    expect(await call('/things/own', 'PUT', as('user'), form)).toMatchObject({ status: 200 });
  });

  it('does not start with a guarded route and no verifier', async () => {
    const start = startApp((app) => {
      mountRoute(app, userRoute, async () => ({ userId: 'x' }));
    });
    await expect(start).rejects.toThrow('POST /mine needs an app with a token verifier');
  });
});
