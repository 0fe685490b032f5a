import { setTimeout as sleep } from 'node:timers/promises';
import { defineRpc } from '@karaar/contracts/kit';
import { startBroker, type TestBroker } from '@karaar/testing/servers/broker';
import { testNats } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { Type } from 'typebox';
import { AppError, conflict, tooManyRequests } from '@karaar/base/errors';
import { currentTraceId, withTraceparent } from '@karaar/observability/telemetry';
import { connectBus, isReplyLost, type Bus } from '../index.ts';
import { double, logger } from '../testing/fixture.ts';

let url: string;
const open: Bus[] = [];
const bus = async (name: string, at = url) => {
  const one = await connectBus({ url: at, name, logger });
  open.push(one);
  return one;
};
const fault = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('expected an AppError', { cause: error });
  return error;
};
/** A contract with a longer timeout than a test may take. */
const patient = defineRpc({ ...double, timeoutMs: 60_000 });
const AWAY = {
  status: 503,
  code: 'service_unavailable',
  detail: 'Ledger is not available right now. Please try again.',
};

beforeAll(async () => {
  url = await testNats();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

describe('rpc', () => {
  it('returns the reply', async () => {
    const [asker, ledger] = [await bus('asker'), await bus('ledger')];
    await ledger.serve(double, async ({ n }) => ({ twice: 2 * n }));
    await expect(asker.request(double, { n: 21 })).resolves.toEqual({ twice: 42 });
  });

  it('is answered by exactly one process of a service', async () => {
    const asker = await bus('asker');
    const seen = [0, 0];
    for (const which of [0, 1]) {
      const ledger = await bus('ledger');
      await ledger.serve(double, async ({ n }) => {
        seen[which] = (seen[which] ?? 0) + 1;
        return { twice: 2 * n };
      });
    }
    await Promise.all(Array.from({ length: 60 }, (_, n) => asker.request(double, { n })));
    expect((seen[0] ?? 0) + (seen[1] ?? 0)).toBe(60);
    expect(Math.min(...seen)).toBeGreaterThan(0);
  });

  it('transmits an AppError unchanged, with headers', async () => {
    const [asker, ledger] = [await bus('asker'), await bus('ledger')];
    await ledger.serve(double, async ({ n }) => {
      throw n === 1 ? conflict('taken', 'This is taken.') : tooManyRequests('Slow down.', 7);
    });
    expect(await fault(asker.request(double, { n: 1 }))).toMatchObject({
      status: 409,
      code: 'taken',
      detail: 'This is taken.',
    });
    expect(await fault(asker.request(double, { n: 2 }))).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7' },
    });
  });

  it('hides an internal error of the other service', async () => {
    const [asker, ledger] = [await bus('asker'), await bus('ledger')];
    await ledger.serve(double, async () => {
      throw new Error('select password from users');
    });
    const error = await fault(asker.request(double, { n: 1 }));
    expect(error).toMatchObject({ status: 500, code: 'internal' });
    expect(JSON.stringify(error)).not.toContain('password');
  });

  it('rejects a request that breaks the contract, on the serving side', async () => {
    const [asker, ledger] = [await bus('asker'), await bus('ledger')];
    let reached = false;
    await ledger.serve(double, async () => {
      reached = true;
      return { twice: 0 };
    });
    const loose = defineRpc({ ...double, request: Type.Object({ n: Type.String() }) });
    expect(await fault(asker.request(loose, { n: 'many' }))).toMatchObject({
      status: 422,
      detail: [{ loc: 'n', msg: 'must be a whole number' }],
    });
    const reply = await asker.link.nc.request(`${double.subject}.asker`, 'not json', { timeout: 1_000 });
    expect(reply.json()).toMatchObject({ ok: false, error: { status: 422 } });
    expect(reached).toBe(false);
  });

  it('checks the reply against the contract, on the calling side, except in production', async () => {
    const ledger = await bus('ledger');
    const wrong = defineRpc({ ...double, response: Type.Object({ twice: Type.String() }) });
    await ledger.serve(wrong, async () => ({ twice: 'lots' }));
    const asker = await bus('asker');
    await expect(asker.request(double, { n: 1 })).rejects.toThrow(
      /breaks its contract: twice must be a whole number/,
    );
    const trusting = await connectBus({ url, name: 'asker', logger, checkReplies: false });
    open.push(trusting);
    await expect(trusting.request(double, { n: 1 })).resolves.toEqual({ twice: 'lots' });
  });

  it('fails at once if no process serves the subject', async () => {
    const asker = await bus('asker');
    const failed = await fault(asker.request(patient, { n: 1 }));
    expect(failed).toMatchObject(AWAY);
    expect(isReplyLost(failed)).toBe(false);
  });

  it('times out at the deadline of the contract or of the caller', async () => {
    const [asker, ledger] = [await bus('asker'), await bus('ledger')];
    let handlerTimeoutMs = 0;
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    await ledger.serve(patient, async (_data, { timeoutMs }) => {
      handlerTimeoutMs = timeoutMs;
      await held;
      return { twice: 0 };
    });
    const begin = performance.now();
    const failed = await fault(asker.request(patient, { n: 1 }, { timeoutMs: 300 }));
    expect(failed).toMatchObject(AWAY);
    expect(isReplyLost(failed)).toBe(true);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(290);
    release(undefined);
    expect(handlerTimeoutMs).toBeGreaterThan(0);
    expect(handlerTimeoutMs).toBeLessThanOrEqual(300);
  });

  it('rejects requests above its concurrency limit', async () => {
    const [asker, ledger] = [await bus('asker'), await bus('ledger')];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await ledger.serve(
      double,
      async ({ n }) => {
        await held;
        return { twice: 2 * n };
      },
      { concurrency: 2 },
    );
    const asked = [1, 2, 3].map((n) => asker.request(double, { n }));
    expect(await fault(Promise.race(asked))).toMatchObject(AWAY);
    release();
    const results = await Promise.allSettled(asked);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('rejects messages that are too large for the broker', async () => {
    const asker = await bus('asker');
    const big = defineRpc({ ...double, request: Type.Object({ text: Type.String() }) });
    expect(await fault(asker.request(big, { text: 'x'.repeat(2 * 1024 * 1024) }))).toMatchObject({
      status: 413,
    });
  });

  it('stays in the trace of the caller', async () => {
    const [asker, ledger] = [await bus('asker'), await bus('ledger')];
    let seen: string | undefined;
    await ledger.serve(double, async () => {
      seen = currentTraceId();
      return { twice: 0 };
    });
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await withTraceparent(`00-${trace}-b7ad6b7169203331-01`, () => asker.request(double, { n: 1 }));
    expect(seen).toBe(trace);
  });

  it('finishes running requests when it is closed, and takes no new ones', async () => {
    const [asker, ledger] = [await bus('asker'), await bus('ledger')];
    const begun = Promise.withResolvers<undefined>();
    await ledger.serve(double, async ({ n }) => {
      begun.resolve(undefined);
      await sleep(300);
      return { twice: 2 * n };
    });
    const asked = asker.request(double, { n: 4 });
    await begun.promise;
    await ledger.close();
    await expect(asked).resolves.toEqual({ twice: 8 });
    expect(ledger.status()).toBe('closed');
    expect(await fault(asker.request(double, { n: 5 }))).toMatchObject(AWAY);
    expect(await fault(ledger.request(double, { n: 5 }))).toMatchObject(AWAY);
  });
});

describe('rpc during a broker outage', () => {
  let broker: TestBroker;
  beforeEach(async () => {
    broker = await startBroker();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await broker.remove();
  });

  it('fails within its deadline, and recovers by itself', async () => {
    const [asker, ledger] = [await bus('asker', broker.url), await bus('ledger', broker.url)];
    await ledger.serve(double, async ({ n }) => ({ twice: 2 * n }));
    await broker.kill();
    await until(
      'both have noticed',
      () => asker.status() === 'disconnected' && ledger.status() === 'disconnected',
    );
    await expect(asker.check()).rejects.toThrow('the broker is away');
    const failed = await fault(asker.request(patient, { n: 1 }, { timeoutMs: 400 }));
    expect(failed).toMatchObject(AWAY);
    expect(isReplyLost(failed)).toBe(false);
    await broker.start();
    await until('both are back', () => asker.status() === 'connected' && ledger.status() === 'connected');
    await asker.check();
    await expect(asker.request(double, { n: 2 })).resolves.toEqual({ twice: 4 });
  });

  it('does not hang on a connected broker that does not answer', async () => {
    const asker = await bus('asker', broker.url);
    await broker.freeze();
    expect(await fault(asker.request(patient, { n: 1 }, { timeoutMs: 400 }))).toMatchObject(AWAY);
    await expect(asker.check()).rejects.toThrow('does not answer');
    broker.thaw();
  });

  it('lets a request wait out a short restart', async () => {
    const [asker, ledger] = [await bus('asker', broker.url), await bus('ledger', broker.url)];
    let times = 0;
    await ledger.serve(double, async ({ n }) => {
      times += 1;
      return { twice: 2 * n };
    });
    await broker.kill();
    await until('it is noticed', () => asker.status() === 'disconnected');
    const asked = asker.request(double, { n: 3 }, { timeoutMs: 10_000 });
    await broker.start();
    await expect(asked).resolves.toEqual({ twice: 6 });
    expect(times).toBe(1);
  });

  it('waits at start for a broker that comes later', async () => {
    await broker.kill();
    const coming = bus('early', broker.url);
    await sleep(300);
    await broker.start();
    expect((await coming).status()).toBe('connected');
  });

  it('can be closed without a broker', async () => {
    const ledger = await bus('ledger', broker.url);
    await ledger.serve(double, async ({ n }) => ({ twice: 2 * n }));
    await broker.kill();
    await until('it is noticed', () => ledger.status() === 'disconnected');
    await ledger.close();
    expect(ledger.status()).toBe('closed');
  });
});
