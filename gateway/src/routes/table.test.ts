import { defineRoute } from '@karaar/contracts/kit';
import { allRoutes } from '@karaar/contracts/services';
import { Type } from 'typebox';
import { routeTable, type Entry, type Route } from './table.ts';

const bounds = { DEADLINE_MS: 15_000, JSON_MAX_BYTES: 1_000, UPLOAD_MAX_BYTES: 5_000_000 };
const table = routeTable(allRoutes(), bounds);
const entryOf = (key: string): Entry | undefined => table.find(({ route }) => route.key === key);
const routeOf = (key: string): Route | undefined => entryOf(key)?.route;

describe('the routing table', () => {
  it('has every route of the contracts', () => {
    for (const { service, contract } of allRoutes()) {
      const { method, path } = contract;
      expect(entryOf(`${method} ${path}`)).toMatchObject({ method, path, service });
    }
  });

  it('takes deadline and body limit from the contract, bounded by the configuration', () => {
    const upload = (files: Record<string, { maxBytes: number; maxCount?: number }>) => ({
      service: 'documents' as const,
      name: 'upload',
      contract: defineRoute({
        method: 'POST',
        path: '/upload',
        access: 'user',
        summary: '',
        multipart: {
          fields: Type.Object({}),
          files: Object.fromEntries(
            Object.entries(files).map(([name, file]) => [name, { ...file, accept: ['any'] as const }]),
          ),
        },
        response: {},
        timeoutMs: 60_000,
      }),
    });
    const [small] = routeTable(
      [upload({ a: { maxBytes: 1_000 }, b: { maxBytes: 100, maxCount: 3 } })],
      bounds,
    );
    expect(small?.route).toMatchObject({ deadlineMs: 60_000, maxBytes: 1_048_576 + 1_300 });
    const [large] = routeTable([upload({ a: { maxBytes: 50_000_000, maxCount: 20 } })], bounds);
    expect(large?.route.maxBytes).toBe(5_000_000);
    expect(routeOf('POST /auth/login')).toMatchObject({ deadlineMs: 15_000, maxBytes: 1_000 });
    expect(routeOf('GET /users/profile')?.maxBytes).toBe(0);
  });

  it('has read routes for the log and the signed files of each service', () => {
    expect(entryOf('GET /log/*')).toMatchObject({ service: 'documents', route: { access: 'public' } });
    const files = entryOf('GET /files/auth/*');
    expect(files).toMatchObject({ service: 'auth', route: { access: 'public' } });
    expect(files?.route.rewrite?.('/files/auth/owner/id?e=1&s=x')).toBe('/files/owner/id?e=1&s=x');
  });

  it('marks routes that invite guessing as sensitive', () => {
    const sensitive = table.filter(({ route }) => route.sensitive).map(({ route }) => route.key);
    expect(sensitive).toEqual(
      expect.arrayContaining([
        'POST /auth/send-otp',
        'POST /auth/login',
        'POST /auth/register',
        'POST /admin/login',
        'POST /documents/join',
        'POST /documents/join/look-up',
      ]),
    );
    expect(sensitive).not.toContain('POST /wallet/razorpay-webhook');
    expect(sensitive).not.toContain('GET /users/profile');
  });
});
