import { setTimeout as sleep } from 'node:timers/promises';
import { defineInternalRpc } from '@karaar/contracts/kit';
import { startProxy } from '@karaar/testing/servers/proxy';
import { Registry } from 'prom-client';
import { Type } from 'typebox';
import { AppError, conflict } from '@karaar/base/errors';
import { startApp, type TestApp } from '@karaar/http/testing/http';
import { currentTraceId, withTraceparent } from '@karaar/observability/telemetry';
import { serveInternalRpc, createInternalRpcClient, type Ask } from './index.ts';

const SECRET = 'p'.repeat(43);
const OTHERS = 'd'.repeat(43);
const double = defineInternalRpc({
  path: '/internal/double',
  callee: 'wallet',
  callers: ['payments'],
  request: Type.Object({ n: Type.Integer() }),
  response: Type.Object({ twice: Type.Integer() }),
  timeoutMs: 2_000,
});
const AWAY = {
  status: 503,
  code: 'service_unavailable',
  detail: 'Wallet is not available right now. Please try again.',
};
const logger = { warn: () => undefined };

let wallet: TestApp;
let answer: (n: number) => Promise<{ twice: number }>;
let ask: Ask;

beforeAll(async () => {
  wallet = await startApp(
    ({ inner }) => {
      serveInternalRpc(inner, double, ({ n }) => answer(n));
      inner.post('/internal/told', { config: { callers: ['documents'] } }, async () => ({ twice: 0 }));
    },
    { callers: { payments: [SECRET], documents: [OTHERS] }, registry: new Registry() },
  );
  ask = createInternalRpcClient(wallet.innerUrl, [SECRET], logger);
});
afterAll(() => wallet.app.close());
beforeEach(() => {
  answer = async (n) => ({ twice: 2 * n });
});

const fault = async (work: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('expected an AppError', { cause: error });
  return error;
};

it('are answered, in the trace of the caller', async () => {
  let seen: string | undefined;
  answer = async (n) => {
    seen = currentTraceId();
    return { twice: 2 * n };
  };
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const asked = () => ask(double, { n: 21 });
  expect(await withTraceparent(`00-${trace}-b7ad6b7169203331-01`, asked)).toEqual({ twice: 42 });
  expect(seen).toBe(trace);
});

it('return an AppError unchanged, and hide an internal error', async () => {
  answer = async (n) => {
    if (n === 1) throw conflict('taken', 'This is taken.');
    if (n === 2) throw new AppError(402, 'insufficient_balance', 'Too little.');
    throw new Error('select password from users');
  };
  expect(await fault(ask(double, { n: 1 }))).toMatchObject({ status: 409, code: 'taken' });
  expect(await fault(ask(double, { n: 2 }))).toMatchObject({ status: 402, code: 'insufficient_balance' });
  const defect = await fault(ask(double, { n: 3 }));
  expect(defect).toMatchObject({ status: 500, code: 'internal' });
  expect(JSON.stringify(defect)).not.toContain('password');
});

it('are rejected if they break the contract, and so is a response', async () => {
  let reached = 0;
  answer = async () => {
    reached += 1;
    // Breaks the contract on purpose.
    return { twice: 'lots' } as unknown as { twice: number };
  };
  const loose = { ...double, request: Type.Object({ n: Type.String() }) };
  expect(await fault(ask(loose, { n: 'many' }))).toMatchObject({
    status: 422,
    detail: [{ loc: 'n', msg: 'must be a whole number' }],
  });
  expect(reached).toBe(0);
  answer = async () => ({ twice: 1 });
  const wrong = { ...double, response: Type.Object({ twice: Type.String() }) };
  await expect(ask(wrong, { n: 1 })).rejects.toThrow(/breaks its contract: twice must be/);
});

it.each([
  ['a credential that is not known', double, ['x'.repeat(43)]],
  ['the service credential of another caller', double, [OTHERS]],
  ['a request of others', { ...double, path: '/internal/told' as const }, [SECRET]],
  ['a request that is not known', { ...double, path: '/internal/nothing' as const }, [SECRET]],
])('give 503, never a 401 or 403 meant for a user, with %s', async (_what, rpc, secrets) => {
  expect(await fault(createInternalRpcClient(wallet.innerUrl, secrets, logger)(rpc, { n: 1 }))).toMatchObject(
    AWAY,
  );
});

it('give 503 at once if no process listens, and at the deadline if none answers', async () => {
  expect(
    await fault(createInternalRpcClient('http://127.0.0.1:9', [SECRET], logger)(double, { n: 1 })),
  ).toMatchObject(AWAY);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  answer = async () => held.then(() => ({ twice: 0 }));
  const begin = performance.now();
  expect(await fault(ask({ ...double, timeoutMs: 300 }, { n: 1 }))).toMatchObject(AWAY);
  expect(performance.now() - begin).toBeGreaterThanOrEqual(290);
  release();
});

it('are retried when the connection breaks, and another process may answer', async () => {
  const broken = await breaking(5, Number(new URL(wallet.innerUrl).port));
  let times = 0;
  answer = async (n) => {
    times += 1;
    return { twice: 2 * n };
  };
  expect(
    await createInternalRpcClient(`http://127.0.0.1:${broken.port}`, [SECRET], logger)(double, { n: 4 }),
  ).toEqual({
    twice: 8,
  });
  expect(times).toBe(1);
  await broken.close();

  const always = await breaking(100, Number(new URL(wallet.innerUrl).port));
  expect(
    await fault(
      createInternalRpcClient(`http://127.0.0.1:${always.port}`, [SECRET], logger)(double, { n: 4 }),
    ),
  ).toMatchObject(AWAY);
  expect(times).toBe(1);
  await always.close();
});

it('are rejected above the concurrency limit', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let running = 0;
  answer = async (n) => {
    running += 1;
    await held;
    return { twice: 2 * n };
  };
  const asked = Array.from({ length: 200 }, (_, n) => ask({ ...double, timeoutMs: 30_000 }, { n }));
  while (running < 200) await sleep(10);
  expect(await fault(ask({ ...double, timeoutMs: 30_000 }, { n: 1 }))).toMatchObject(AWAY);
  release();
  expect(await Promise.all(asked)).toHaveLength(200);
  expect(await ask(double, { n: 1 })).toEqual({ twice: 2 });
});

it('are answered while the service rejects everything else', async () => {
  const behind = await startApp(
    ({ inner }) => {
      serveInternalRpc(inner, double, async ({ n }) => ({ twice: 2 * n }));
      inner.post('/internal/patient', { config: { callers: ['payments'] } }, async () => ({}));
    },
    { callers: { payments: [SECRET] }, registry: new Registry(), pressure: { isCrowded: () => true } },
  );
  const patient = () =>
    fetch(`${behind.innerUrl}/internal/patient`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}` },
    });
  while ((await patient()).status !== 503) await sleep(20);
  expect(await createInternalRpcClient(behind.innerUrl, [SECRET], logger)(double, { n: 1 })).toEqual({
    twice: 2,
  });
  await behind.app.close();
});

/** Starts a proxy that resets the first connections on their first data and forwards later ones. */
async function breaking(first: number, target: number) {
  const proxy = await startProxy(target);
  for (let i = 0; i < first; i += 1) proxy.fail({ kind: 'bytes', of: 'requests', bytes: 0 });
  return proxy;
}
