/** The ports of the running product: the gateway cannot reach internal routes and metrics. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceCredentials, internalRoutes } from '@karaar/contracts/internal';
import { SERVICE_NAMES } from '@karaar/contracts/services';
import { bearer } from '@karaar/testing/people/tokens';
import { sharedProduct } from '../src/shared-product/index.ts';

const routes = Object.values(internalRoutes);
const secretOf = (caller: string, callee: string): string =>
  readFileSync(
    join(sharedProduct.stateDir, 'secrets', `service-credential-${caller}-${callee}`),
    'utf8',
  ).trim();
const statusOf = async (url: string, method: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { method, headers })).status;

const processes = Object.entries(sharedProduct.services).filter(([name]) => name !== 'gateway');

it.each(processes)(
  '%s has neither metrics nor internal routes at the port that the gateway knows',
  async (_name, url) => {
    for (const path of ['/metrics', '/metrics/', '/metrics?a=b', '//metrics', '/internal', '/internal/'])
      expect([path, await statusOf(url + path, 'GET')]).toEqual([path, 404]);
    for (const { method, path } of routes)
      for (const { caller, callee } of serviceCredentials)
        expect([path, caller, await statusOf(url + path, method, bearer(secretOf(caller, callee)))]).toEqual([
          path,
          caller,
          404,
        ]);
  },
);

it('every process serves its metrics at the internal port', async () => {
  expect(Object.keys(sharedProduct.inner).sort()).toEqual(
    [...SERVICE_NAMES, 'witness', 'broker-admin', 'converter'].sort(),
  );
  for (const [name, url] of Object.entries(sharedProduct.inner))
    expect([name, await statusOf(`${url}/metrics`, 'GET')]).toEqual([name, 200]);
});

it.each(routes)('$path answers only its callers', async ({ method, path, callee, callers }) => {
  const url = `${sharedProduct.inner[callee]}${path}`;
  expect(await statusOf(url, method)).toBe(401);
  expect(await statusOf(url, method, bearer('x'.repeat(43)))).toBe(401);
  for (const credential of serviceCredentials) {
    const isKnown = credential.callee === callee;
    const isAllowed = isKnown && callers.some((caller) => caller === credential.caller);
    // 422: admitted, but without a body. 403: a caller of other routes of this service.
    const expected = isAllowed ? 422 : isKnown ? 403 : 401;
    expect([
      credential,
      await statusOf(url, method, bearer(secretOf(credential.caller, credential.callee))),
    ]).toEqual([credential, expected]);
  }
});

it('the gateway serves neither metrics nor internal routes', async () => {
  for (const path of ['/metrics', ...routes.map(({ path }) => path)])
    for (const base of [sharedProduct.url, `${sharedProduct.url}/api`]) {
      const answer = await fetch(base + path, { headers: { accept: 'application/json' } });
      const text = await answer.text();
      expect([base, path, text.includes('http_request_duration_seconds')]).toEqual([base, path, false]);
      if (base.endsWith('/api')) expect([path, answer.status]).toEqual([path, 404]);
    }
});
