/** Each check of the security run finds a server without the guard. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { defineRoute } from '@karaar/contracts/kit';
import { startCanary } from '@karaar/testing/canary';
import fc from 'fast-check';
import { Type } from 'typebox';
import type { Target } from './check.ts';
import { seriousOf } from './inner-walls/dependencies.ts';
import { faultOf, fuzz } from './hostile-input/fuzz.ts';
import { headerRules } from './hostile-input/headers.ts';
import { fitting } from './hostile-input/inputs.ts';
import { steps } from './hostile-input/paths.ts';
import { leaksOf } from './hostile-input/rendering.ts';
import { secretsIn, secretsInRepository } from './inner-walls/secrets.ts';
import { uploadRoutes, hostileFiles, tryUploads } from './hostile-input/uploads.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
let server: Server;
let target: Target;
let answer: (req: IncomingMessage, res: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((req, res) => {
    req.resume();
    req.on('end', () => answer(req, res));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
  const url = `http://127.0.0.1:${address.port}`;
  target = {
    url,
    token: async () => undefined,
    inside: { url, postgresUrl: '', natsUrl: '', redisUrl: '', stateDir: '', services: {}, inner: {} },
  };
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const json = (status: number, body: unknown) => (_req: IncomingMessage, res: ServerResponse) => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const route = defineRoute({
  method: 'POST',
  path: '/things/:id',
  access: 'public',
  summary: 'A thing',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ name: Type.String({ maxLength: 20 }), count: Type.Optional(Type.Integer()) }),
  response: { 200: Type.Object({}) },
  timeoutMs: 100,
});
const fuzzed = () => fuzz(target, [{ name: 'things.make', contract: route }], { runs: 20, seed: 1 });

describe('the fuzz check', () => {
  it('finds nothing in a route that refuses invalid values', async () => {
    answer = json(422, { detail: [{ loc: 'name', msg: 'is too long' }], code: 'validation' });
    expect(await fuzzed()).toEqual([]);
  });

  it('finds a route that answers 500', async () => {
    answer = json(500, { detail: 'Something went wrong.', code: 'internal' });
    expect(await fuzzed()).toEqual([
      { where: 'things.make POST /things/:id (seed 1)', what: 'answered 500' },
    ]);
  });

  it('finds a route that breaks the connection', async () => {
    answer = (req) => req.socket.destroy();
    expect((await fuzzed())[0]?.what).toMatch(/^broke the connection/);
  });

  it('finds a route that hangs', async () => {
    answer = () => undefined;
    const one = [{ name: 'things.make', contract: route }];
    const found = await fuzz(target, one, { runs: 2, seed: 1, marginMs: 50 });
    expect(found.map(({ what }) => what)).toEqual(['hung for 150 ms']);
  });

  it('finds an answer with internal details, or without a reason', () => {
    const faultOfDetail = (detail: string) =>
      faultOf(400, 'application/json', JSON.stringify({ detail, code: 'x' }));
    expect(faultOfDetail('Please enter a name.')).toBeUndefined();
    expect(faultOfDetail('insert violates check constraint "x"')).toMatch(/internal details/);
    expect(faultOfDetail('TypeError\n    at run (/srv/app.js:10:3)')).toMatch(/internal details/);
    expect(faultOfDetail('connect ECONNREFUSED')).toMatch(/internal details/);
    expect(faultOfDetail('')).toMatch(/no detail/);
    expect(faultOf(404, 'text/html', '<h1>No</h1>')).toBe('its 404 is text/html');
  });

  it('makes values that the contract accepts', () => {
    fc.assert(
      fc.property(fitting(route.body), (value) => {
        const { name, count } = value as { name: string; count?: number };
        expect(name.length).toBeLessThanOrEqual(20);
        expect(count === undefined || Number.isInteger(count)).toBe(true);
      }),
    );
  });
});

describe('the check of headers', () => {
  const csp = [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  const good: Record<string, string> = {
    'content-security-policy': csp.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(self)',
    'cache-control': 'no-store',
  };
  const found = async (headers: Record<string, string>): Promise<string> => {
    answer = (_req, res) => res.writeHead(200, headers).end();
    return (await headerRules.run(target)).map(({ what }) => what).join('\n');
  };

  it('finds nothing in answers with all headers', async () => {
    expect(await found(good)).toBe('');
  });

  it.each(Object.keys(good))('finds that %s is missing', async (name) => {
    const { [name]: _gone, ...left } = good;
    expect(await found(left)).toContain(`${name} is ''`);
  });

  it.each([
    ...csp.map((rule) => csp.filter((one) => one !== rule).join('; ')),
    `${csp.join('; ')}; style-src 'unsafe-inline'`,
    `${csp.join('; ')}; script-src 'unsafe-eval'`,
  ])('finds a weaker content security policy: %s', async (policy) => {
    expect(await found({ ...good, 'content-security-policy': policy })).toContain(
      `content-security-policy is '${policy}'`,
    );
  });

  it('finds servers that name their software, or that any origin may read', async () => {
    const telling = await found({ ...good, 'x-powered-by': 'things', 'access-control-allow-origin': '*' });
    expect(telling).toContain('has the header x-powered-by');
    expect(telling).toContain('may be read from any origin');
  });
});

it('the check of paths finds a server that follows them, and a server that fails at them', async () => {
  answer = json(404, {});
  expect(await steps.run(target)).toEqual([]);
  answer = (req, res) => (req.url?.includes('..%2f') ? res.end('root:x:0:0:root:/root:/bin/sh') : res.end());
  const found = await steps.run(target);
  expect(found.map(({ where }) => where)).toContain('/api/files/documents/..%2f..%2fpackage.json');
  expect(new Set(found.map(({ what }) => what))).toEqual(new Set(['a local file was sent']));
  answer = (_req, res) => void res.writeHead(500).end();
  expect((await steps.run(target)).every(({ what }) => what === 'answered 500')).toBe(true);
});

it('the check of uploads finds routes that accept everything, and a product that broke', async () => {
  const all = await hostileFiles(true);
  const files = all.filter(({ name }) => ['svg.png', 'macro.docx', 'cut.png'].includes(name));
  const [agreement, photo] = await uploadRoutes();
  if (!agreement || !photo) throw new Error('The upload routes were not found');
  answer = (req, res) => json(201, req.url === '/api/health' ? { status: 'ok' } : { ok: true })(req, res);
  expect((await tryUploads(target, files, [agreement, photo])).map(({ where }) => where).sort()).toEqual([
    'cut.png at photo',
    'macro.docx at agreement',
    'macro.docx at photo',
    'svg.png at agreement',
    'svg.png at photo',
  ]);
  // Each file at each route that must refuse it; the bombs are left out, because they take long to pack.
  const everyRoute = await uploadRoutes();
  const bombs = ['pixels.png', 'bomb.pdf', 'bomb.docx'];
  const taken = (url = ''): unknown => {
    return url === '/api/verify' ? { valid: true } : { status: 'ok', ok: true };
  };
  answer = (req, res) => json(200, taken(req.url))(req, res);
  const light = all.map((file) =>
    bombs.includes(file.name) ? { ...file, bytes: () => ascii('bomb') } : file,
  );
  expect((await tryUploads(target, light, everyRoute)).map(({ where }) => where).sort()).toEqual(
    all.flatMap(({ name, refusedBy }) => refusedBy.map((route) => `${name} at ${route}`)).sort(),
  );
  for (const kind of ['eicar.docx', 'macro.docx', 'svg.png', 'gif-and-pdf.gif', ...bombs])
    expect(all.find(({ name }) => name === kind)?.refusedBy.length).toBeGreaterThan(0);
  answer = (req, res) => json(req.url === '/api/health' ? 200 : 415, { status: 'degraded' })(req, res);
  expect(await tryUploads(target, files, [agreement])).toEqual([
    { where: 'afterwards', what: 'the product is degraded' },
  ]);
  answer = (req, res) => json(req.url === '/api/health' ? 200 : 502, { status: 'ok' })(req, res);
  expect(await tryUploads(target, files, [agreement])).toHaveLength(3);
});

it('the check of rendering finds requests, and local files that were printed', async () => {
  const canary = await startCanary();
  await fetch(`${canary.url}/name.png`);
  await canary.stop();
  expect(leaksOf(canary.visits, 'root:x:0:0:root:/root')).toEqual([
    { where: 'network', what: '/name.png was fetched' },
    { where: 'files', what: 'a local file was printed' },
  ]);
  expect(leaksOf([], 'Terms')).toEqual([]);
});

it('the check of secrets finds one and does not print it', async () => {
  const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
  const key = [
    '-----BEGIN RSA PRIVATE',
    ' KEY-----\n',
    'MIIEow'.repeat(40),
    '\n-----END RSA PRIVATE',
    ' KEY-----',
  ].join('');
  for (const text of [`TOKEN=${secret}`, key]) {
    const found = await secretsIn('config.env', text);
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toContain(secret);
  }
  expect(await secretsIn('readme.md', 'Set DATABASE_URL to the address of your database.')).toEqual([]);
});

it('no file of the repository has a secret', async () => {
  expect(await secretsInRepository()).toEqual([]);
});

it('the check of dependencies finds a serious weakness, and reports a missing audit', () => {
  const weak = (severity: string) => ({ vulnerabilities: { x: { name: 'x', severity, range: '<2' } } });
  expect(seriousOf(JSON.stringify(weak('high')))).toEqual([
    { where: 'x <2', what: 'has a known high weakness' },
  ]);
  expect(seriousOf(JSON.stringify(weak('low')))).toEqual([]);
  expect(seriousOf(JSON.stringify({ message: 'no such path' }))[0]?.undecided).toBe(true);
});
