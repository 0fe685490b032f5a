/** The size budgets of the front end, which the shared product has built. */
import { fileURLToPath } from 'node:url';
import { screenRoutes } from '@karaar/contracts/screens';
import { found, overweight, weigh, type Weight } from '../src/bundles.ts';
import { readFileSync } from 'node:fs';

const apps = fileURLToPath(new URL('../../apps', import.meta.url));

it('every page, entry, chunk and asset is within its budget of apps/budgets.json', () => {
  const weights = weigh(apps);
  expect(weights.filter(overweight)).toEqual([]);
  expect(weights.length).toBeGreaterThan(20);
  // The model that guides the camera, the largest file of a page with one, is in one build only.
  const models = weights.filter(({ what }) => what.endsWith('.tflite'));
  expect(models).toEqual([{ what: expect.stringMatching(/^shell\//), kb: expect.any(Number), atMost: 200 }]);
});

it('a missing figure, or one above its budget, is overweight', () => {
  const weight = (kb: number): Weight => ({ what: 'x', kb, atMost: 10 });
  expect([9.9, 10, 10.01, Number.NaN].map((kb) => overweight(weight(kb)))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

// Each copy of React defines this object once.
it.each([
  ['react', /__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE\s*=[^=]/g],
  ['react-dom', /__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE\s*=[^=]/g],
])('there is one copy of %s in all builds together', (_name, pattern) => {
  expect(found(apps, pattern)).toHaveLength(1);
});

// Every schema has this property; the contract loader of libs/web-build removes them.
it('no build contains schemas or the schema library', () => {
  expect(found(apps, /~kind/g)).toEqual([]);
});

it('the manifest names the scripts of every screen, so that the gateway can preload them', async () => {
  const namelessOf = async (remote: 'user' | 'admin') => {
    const manifest = JSON.parse(readFileSync(`${apps}/${remote}-mfe/dist/manifest.json`, 'utf8')) as {
      screens: Record<string, { files: { as: string }[] }>;
    };
    const { screens } = (await import(`${apps}/${remote}-mfe/src/screens.ts`)) as {
      screens: { paths: Record<string, object> }[];
    };
    const built = new Set(screens.flatMap(({ paths }) => Object.keys(paths)));
    const routes = screenRoutes.filter((route) => route.remote === remote && built.has(route.path));
    expect(routes.length).toBeGreaterThan(10);
    return routes
      .filter(({ path }) => !manifest.screens[path]?.files.some(({ as }) => as === 'script'))
      .map(({ path }) => path);
  };
  expect([...(await namelessOf('user')), ...(await namelessOf('admin'))]).toEqual([]);
});
