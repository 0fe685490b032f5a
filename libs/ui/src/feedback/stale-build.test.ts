import { reloadIfReplaced } from './stale-build.ts';

/** Reports a missing chunk on a page with this mark for its storage; returns how often the page reloads. */
async function reloads(dataset: Record<string, string>): Promise<number> {
  const stored = new Map<string, string>();
  let count = 0;
  for (const [name, value] of Object.entries({
    document: { documentElement: { dataset } },
    fetch: () => Promise.resolve(new Response(null, { status: 404 })),
    location: { reload: () => (count += 1) },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => stored.set(key, text),
    },
  }))
    Object.defineProperty(globalThis, name, { configurable: true, value });
  const about = { name: 'ChunkLoadError', request: '/1.js' };
  const error = Object.assign(new Error('Loading chunk 1 failed'), about);
  for (let visit = 0; visit < 2; visit += 1) {
    await reloadIfReplaced(error);
    // The stand-in for refused storage is empty after a reload.
    if (dataset['storage'] === 'page') stored.clear();
  }
  return count;
}

it('a page whose chunk a deploy removed reloads once', async () => {
  expect(await reloads({})).toBe(1);
});

it('a page without storage does not reload, because it would do so again and again', async () => {
  expect(await reloads({ storage: 'page' })).toBe(0);
});
