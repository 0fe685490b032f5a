import { randomUUID } from 'node:crypto';
import { allRoutes, SERVICE_NAMES } from '@karaar/contracts/services';
import { bearer } from '@karaar/testing/people/tokens';
import { refused } from '@karaar/testing/refused';
import { startTestGateway, type TestGateway } from './harness.ts';

let gw: TestGateway;
let reached = 0;

beforeAll(async () => {
  gw = await startTestGateway();
  const count = (_req: unknown, res: { end(text: string): unknown }) => {
    reached += 1;
    res.end('{}');
  };
  for (const name of SERVICE_NAMES) gw.services[name] = count;
});
afterAll(() => gw.stop());
beforeEach(() => {
  reached = 0;
});

const routes = allRoutes().map(({ contract }) => ({
  name: `${contract.method} ${contract.path}`,
  method: contract.method,
  access: contract.access,
  url: `/api${contract.path.replace(/:\w+/g, 'x1')}`,
}));
const call = (route: { method: string; url: string }, headers: Record<string, string> = {}) =>
  fetch(gw.url + route.url, { method: route.method, headers });

describe('every route of the contracts', () => {
  it('is in the access matrix', () => {
    expect(routes.length).toBeGreaterThan(40);
    expect(routes.filter(({ access }) => access !== 'public').length).toBeGreaterThan(30);
  });

  it.each(routes.filter(({ access }) => access !== 'public'))(
    '$name without a token: 401 with detail and code, without a call to the service',
    async (route) => {
      const res = await call(route);
      expect(res.status).toBe(401);
      expect(await res.json()).toEqual({ detail: 'Please sign in.', code: 'not_authenticated' });
      expect(res.headers.get('www-authenticate')).toBe('Bearer');
      expect(reached).toBe(0);
    },
  );

  it.each(routes.filter(({ access }) => access !== 'public'))(
    '$name with a token of the other audience: 403; with its own: the service is called',
    async (route) => {
      const [own, other] = [await gw.tokens.user(), await gw.tokens.admin()];
      const [right, wrong] = route.access === 'user' ? [own, other] : [other, own];
      const refused = await call(route, bearer(wrong));
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ code: 'wrong_audience' });
      expect(reached).toBe(0);
      expect((await call(route, bearer(right))).status).toBe(200);
      expect(reached).toBe(1);
    },
  );

  it.each(routes.filter(({ access }) => access === 'public'))('$name needs no token', async (route) => {
    expect((await call(route)).status).toBe(200);
    expect(reached).toBe(1);
  });
});

describe('tokens on a user route', () => {
  const profile = { method: 'GET', url: '/api/users/profile' };

  it.each(['forged', 'expired', 'foreign'] as const)('[AUTH-044] %s: 401', async (kind) => {
    const res = await call(profile, bearer(await gw.tokens[kind]()));
    refused({ status: res.status, body: await res.json() }, 401);
    expect(reached).toBe(0);
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Basic dXNlcjpwYXNz',
    'Bearer a.b.c',
    `Bearer ${'a'.repeat(9_000)}.b.c`,
  ])('[AUTH-044] malformed %#: 401', async (authorization) => {
    const res = await call(profile, { authorization });
    refused({ status: res.status, body: await res.json() }, 401);
    expect(reached).toBe(0);
  });

  it('an unknown audience: 401', async () => {
    const claims = { sub: randomUUID(), sid: randomUUID(), char_id: 'ABCD2345' };
    const token = await gw.tokens.sign(claims, { audience: 'somebody:else' });
    expect((await call(profile, bearer(token))).status).toBe(401);
  });

  it('a session that ends is refused within a second, although its token was accepted before', async () => {
    const sessionId = randomUUID();
    const token = bearer(await gw.tokens.user({ sessionId }));
    expect((await call(profile, token)).status).toBe(200);
    gw.revoked.add(sessionId);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await call(profile, token)).status).toBe(401);
  });

  it('is not read from the query', async () => {
    const token = await gw.tokens.user();
    expect((await call({ method: 'GET', url: `/api/users/profile?access_token=${token}` })).status).toBe(401);
  });
});

describe('paths without a route', () => {
  it.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['GET', '/api/.well-known/jwks.json'],
    ['GET', '/api/metrics'],
    ['GET', '/api/readyz'],
    ['GET', '/api/files/documents/%2e%2e/readyz'],
    ['GET', '/api/files/documents/..%2freadyz/../x'],
    ['GET', '/api/users/profile/more'],
    ['TRACE', '/api/nothing'],
  ])('%s %s: 404', async (method, path) => {
    const res = await rawStatus(method, path);
    expect(res).toBe(404);
    expect(reached).toBe(0);
  });

  it('a known path with another method: 405 with the allowed methods', async () => {
    const res = await call({ method: 'DELETE', url: '/api/users/profile' });
    expect(res.status).toBe(405);
    expect(res.headers.get('allow')).toBe('GET, HEAD, PUT');
    expect(await res.json()).toMatchObject({ code: 'method_not_allowed' });
    expect((await call({ method: 'OPTIONS', url: '/api/users/profile' })).status).toBe(405);
  });

  it('of files and the log are read-only', async () => {
    for (const path of ['/log/checkpoint', '/files/documents/owner/id']) {
      const res = await call({ method: 'POST', url: `/api${path}` });
      expect([res.status, res.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect((await call({ method: 'GET', url: `/api${path}` })).status).toBe(200);
    }
    expect(reached).toBe(2);
  });

  it('a fixed path takes precedence over one with a parameter, for all methods', async () => {
    const requests: string[] = [];
    for (const name of SERVICE_NAMES)
      gw.services[name] = (req, res) => res.end(void requests.push(`${name} ${req.method} ${req.url}`));
    const headers = bearer(await gw.tokens.user());
    const send = async (method: string, path: string) =>
      (await call({ method, url: `/api${path}` }, headers)).status;
    expect(await send('POST', '/documents/verification/validate')).toBe(200);
    expect(await send('GET', '/documents/0191')).toBe(200);
    expect(await send('GET', '/documents/create')).toBe(405);
    expect(requests).toEqual([
      'vision POST /documents/verification/validate',
      'documents GET /documents/0191',
    ]);
  });

  it('an invalid escape: 400, as from a service', async () => {
    expect(await rawStatus('GET', '/api/users/%zz')).toBe(400);
  });
});

/** Unlike fetch, this does not resolve dots in a path before it sends it. */
async function rawStatus(method: string, path: string): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gw.url);
    const req = request({ host: hostname, port, method, path, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
    });
    req.on('error', reject);
    req.end();
  });
}
