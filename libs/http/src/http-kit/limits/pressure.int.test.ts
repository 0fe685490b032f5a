import { setTimeout as sleep } from 'node:timers/promises';
import { defineRoute } from '@karaar/contracts/kit';
import { Type } from 'typebox';
import { startApp } from '../testing/http.ts';
import { mountRoute } from '../index.ts';

const hello = defineRoute({
  method: 'GET',
  path: '/hello',
  access: 'public',
  summary: 'Says that it is there',
  response: { 200: Type.Object({ ok: Type.Boolean() }) },
});

it('rejects with Retry-After while a resource is crowded, but answers probes', async () => {
  let crowded = false;
  const { app, url, innerUrl } = await startApp((it) => mountRoute(it, hello, async () => ({ ok: true })), {
    pressure: { isCrowded: () => crowded },
  });
  const status = async (path: string) => (await fetch(url + path)).status;
  const turns = async (to: number) => {
    for (let i = 0; i < 40 && (await status('/hello')) !== to; i += 1) await sleep(50);
    return status('/hello');
  };
  try {
    expect(await status('/hello')).toBe(200);
    crowded = true;
    expect(await turns(503)).toBe(503);
    const refused = await fetch(`${url}/hello`);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'overloaded' });
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
    expect((await fetch(`${innerUrl}/metrics`)).status).toBe(200);
    crowded = false;
    expect(await turns(200)).toBe(200);
  } finally {
    await app.close();
  }
});

const block = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

it('answers after a single pause of its event loop', async () => {
  const { app, url } = await startApp((it) => mountRoute(it, hello, async () => ({ ok: true })), {
    pressure: { maxLoopDelayMs: 150 },
  });
  try {
    // Longer than a sample, so that it fills the whole sample.
    block(1_500);
    // The period in which the pause could count: the sample and its evaluation.
    for (const end = performance.now() + 1_500; performance.now() < end; await sleep(50))
      expect((await fetch(`${url}/hello`)).status).toBe(200);
  } finally {
    await app.close();
  }
});

it('rejects while its event loop is continuously late', async () => {
  const { app, url } = await startApp((it) => mountRoute(it, hello, async () => ({ ok: true })), {
    pressure: { maxLoopDelayMs: 150 },
  });
  const status = async () => (await fetch(`${url}/hello`)).status;
  try {
    expect(await status()).toBe(200);
    // More than three whole seconds, to fill two samples in a row.
    for (let i = 0; i < 10; i += 1) {
      block(400);
      await sleep(1);
    }
    expect(await status()).toBe(503);
    let last = 503;
    for (let i = 0; i < 60 && last !== 200; i += 1) {
      await sleep(50);
      last = await status();
    }
    expect(last).toBe(200);
  } finally {
    await app.close();
  }
});
