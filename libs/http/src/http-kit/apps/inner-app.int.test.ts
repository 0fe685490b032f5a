import { Registry } from 'prom-client';
import { json, recordingLogger, startApp, wire, type TestApp } from '../testing/http.ts';
import { ConfigError } from '@karaar/base/config';
import { createHttpApp } from '../index.ts';

const [WALLET, WALLET_NEXT, PAYMENTS] = ['w', 'n', 'p'].map((letter) => letter.repeat(43));
const callers = { wallet: [WALLET, WALLET_NEXT], payments: [PAYMENTS] } as Record<string, string[]>;
let handled: (string | undefined)[] = [];

function mount({ inner }: TestApp['app']): void {
  inner.post('/internal/print', { config: { callers: ['wallet', 'payments'] } }, async (req) => {
    handled.push(req.caller);
    return { printed: req.body };
  });
  inner.get('/internal/balance', { config: { callers: ['payments'] } }, async (req) => {
    handled.push(req.caller);
    return { balance: 1 };
  });
}

describe('the internal port', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startApp(mount, { callers, registry: new Registry() });
  });
  afterAll(() => test.app.close());
  beforeEach(() => {
    handled = [];
  });

  const as = (secret: string | undefined) => ({ authorization: `Bearer ${secret}` });
  const print = (headers: Record<string, string>, base = test.innerUrl) =>
    wire(fetch(`${base}/internal/print`, json({ page: 1 }, headers)));

  it('admits the named callers, each by its own secret, and both secrets during a rotation', async () => {
    for (const secret of [WALLET, WALLET_NEXT, PAYMENTS])
      expect(await print(as(secret))).toEqual({ status: 200, body: { printed: { page: 1 } } });
    expect(handled).toEqual(['wallet', 'wallet', 'payments']);
  });

  it('answers 403 to a service credential that the route does not allow', async () => {
    const balance = (secret: string | undefined) =>
      wire(fetch(`${test.innerUrl}/internal/balance`, { headers: as(secret) }));
    expect(await balance(WALLET)).toEqual({
      status: 403,
      body: { detail: 'This credential is not for this call.', code: 'wrong_audience' },
    });
    expect(handled).toEqual([]);
    expect(await balance(PAYMENTS)).toEqual({ status: 200, body: { balance: 1 } });
  });

  it.each([
    ['no credential', {}],
    ['an empty one', { authorization: 'Bearer ' }],
    ['a wrong one', as('x'.repeat(43))],
    ['the beginning of a right one', as('w'.repeat(42))],
    ['a right one and more', as(`${WALLET}w`)],
    ['two right ones', as(`${WALLET},${PAYMENTS}`)],
    ['a right one without its scheme', { authorization: WALLET ?? '' }],
    ['a right one in another scheme', { authorization: `Basic ${WALLET}` }],
    ['a right one elsewhere', { cookie: `authorization=${WALLET}`, 'x-authorization': `Bearer ${WALLET}` }],
  ])('answers 401 to %s', async (_what, headers) => {
    const answer = await fetch(
      `${test.innerUrl}/internal/print`,
      json({}, headers as Record<string, string>),
    );
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.json()).toEqual({ detail: expect.any(String), code: expect.any(String) });
    expect(handled).toEqual([]);
  });

  it('rejects before it reads the body', async () => {
    expect(await wire(fetch(`${test.innerUrl}/internal/print`, json('{"broken')))).toMatchObject({
      status: 401,
    });
  });

  it('serves metrics to any caller, but neither probes nor routes of the public port', async () => {
    await print(as(WALLET));
    const text = await (await fetch(`${test.innerUrl}/metrics`)).text();
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="POST",route="\/internal\/print",status="200"\} \d/,
    );
    for (const path of ['/healthz', '/readyz', '/internal/', '/internal/else', '/'])
      expect([path, (await fetch(test.innerUrl + path)).status]).toEqual([path, 404]);
  });

  it('serves nothing on the public port', async () => {
    expect(await print(as(WALLET), test.url)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    for (const path of ['/metrics', '/metrics/', '/internal/balance'])
      expect([path, (await fetch(test.url + path, { headers: as(PAYMENTS) })).status]).toEqual([path, 404]);
    expect(handled).toEqual([]);
  });

  it('logs the caller but not the credential', async () => {
    await print(as(PAYMENTS));
    await print(as('x'.repeat(43)));
    expect(test.log.lines().some(({ caller, status }) => caller === 'payments' && status === 200)).toBe(true);
    for (const secret of [WALLET, PAYMENTS, 'x'.repeat(43)]) expect(test.log.text()).not.toContain(secret);
  });
});

describe('an app', () => {
  const start = (add: (app: TestApp['app']) => void) => startApp(add, { callers, registry: new Registry() });
  const handler = async () => ({});
  /** Resolves when the port at `url` refuses connections. */
  const refused = async (url: string): Promise<void> => {
    for (;;) {
      const answer = await fetch(url).catch((error: unknown) => error);
      if (!(answer instanceof Response)) return expect(String(answer)).toContain('fetch failed');
      await answer.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it('does not start with an internal route that names no callers, or whose callers have no secrets', async () => {
    await expect(start(({ inner }) => inner.get('/internal/x', handler))).rejects.toThrow(
      'GET /internal/x names no callers',
    );
    await expect(
      start(({ inner }) => inner.get('/internal/x', { config: { callers: ['auth'] } }, handler)),
    ).rejects.toThrow('GET /internal/x is called by auth, whose secrets are not given');
  });

  it('does not start with a route at the wrong port', async () => {
    for (const path of ['/internal/x', '/metrics'])
      await expect(start((app) => app.get(path, handler))).rejects.toThrow(
        `GET ${path} belongs to the internal port`,
      );
    await expect(
      start(({ inner }) => inner.get('/open', { config: { callers: ['wallet'] } }, handler)),
    ).rejects.toThrow('GET /open does not belong to the internal port');
  });

  it('does not start if two callers have the same secret', () => {
    const same = { wallet: callers['wallet'] ?? [], payments: callers['wallet'] ?? [] };
    const { logger } = recordingLogger();
    expect(() => createHttpApp({ name: 'test', logger, callers: same })).toThrow(ConfigError);
  });

  it('closes both ports, also while an internal request still runs', async () => {
    let finish = (): void => undefined;
    const running = new Promise<void>((resolve) => (finish = resolve));
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const { app, url, innerUrl } = await start(({ inner }) =>
      inner.get('/internal/wait', { config: { callers: ['payments'] } }, async () => {
        arrive();
        await running;
        return { waited: true };
      }),
    );
    const answer = fetch(`${innerUrl}/internal/wait`, { headers: { authorization: `Bearer ${PAYMENTS}` } });
    await arrived;
    app.startDraining();
    let closed = false;
    const closing = app.close().then(() => (closed = true));
    for (const address of [`${innerUrl}/metrics`, `${url}/healthz`]) await refused(address);
    expect(closed).toBe(false);
    finish();
    expect((await answer).status).toBe(200);
    await closing;
  });
});
