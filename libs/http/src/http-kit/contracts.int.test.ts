/** The kit on the project's own contracts: every one can be mounted, and answers keep their shape. */
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { SERVICE_NAMES, serviceRoutes } from '@karaar/contracts/services';
import { Value } from 'typebox/value';
import { startApp } from './testing/http.ts';
import type { TokenVerifier } from '../auth/index.ts';
import { mountRoute } from './index.ts';

const verifier: TokenVerifier = {
  verify: async () => ({ userId: 'u', sessionId: 's', charId: 'ABCD2345', audience: 'user' }),
};

it.each(SERVICE_NAMES)('mounts every contract of %s', async (name) => {
  const routes = Object.values(serviceRoutes[name]);
  const { app } = await startApp(
    (into) => {
      for (const route of routes) mountRoute(into, route, () => Promise.reject(new Error('not called')));
    },
    { verifier },
  );
  expect(routes.length).toBeGreaterThan(0);
  for (const { method, path } of routes) expect(app.hasRoute({ method, url: path })).toBe(true);
  await app.close();
});

it('serialises a whole document unchanged', async () => {
  const schema = documentsRoutes.get.response[200];
  const approval = { approved: true, approved_at: '2026-01-02T03:04:05.000Z', is_primary: true };
  const document = Value.Create(schema) as Record<string, unknown>;
  const sample = {
    ...document,
    name: 'करार "1"',
    location: null,
    status: 'pending',
    page_details: [{ page_no: 1, description: 'first' }],
    user_approvals: { 'user-1': approval, 'user-2': { ...approval, approved: false, approved_at: null } },
    total_amount: 12.5,
  };
  const { app, url } = await startApp(
    // The sample comes from the schema, so the compiler cannot check its type.
    (into) => mountRoute(into, documentsRoutes.get, async () => sample as never),
    { verifier },
  );
  const answer = await fetch(`${url}/documents/x`, { headers: { authorization: 'Bearer a.b.c' } });
  expect(await answer.json()).toEqual(sample);
  await app.close();
});
