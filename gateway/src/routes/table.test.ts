import { defineRoute } from '@karaar/contracts/kit';
import { allRoutes } from '@karaar/contracts/services';
import { Type } from 'typebox';
import { RouteTable, type Method } from './table.ts';

const options = { defaultDeadlineMs: 15_000, jsonMaxBytes: 1_000, uploadMaxBytes: 5_000_000 };
const table = new RouteTable(allRoutes(), options);
const routeOf = (method: Method, path: string) => table.find(method, path);

describe('the routing table', () => {
  it('finds every route of the contracts by an example of its path', () => {
    for (const { service, contract } of allRoutes()) {
      const route = routeOf(contract.method, contract.path.replace(/:\w+/g, 'x1'));
      expect(route).toMatchObject({ key: `${contract.method} ${contract.path}`, service });
    }
  });

  it('prefers a fixed path to a parameter', () => {
    expect(routeOf('GET', '/documents/my-documents')?.key).toBe('GET /documents/my-documents');
    expect(routeOf('GET', '/documents/0191')?.key).toBe('GET /documents/:id');
    expect(routeOf('POST', '/documents/verification/validate')?.service).toBe('vision');
  });

  it('refuses two routes with one method and path', () => {
    const [first] = allRoutes();
    expect(() => new RouteTable([first!, first!], options)).toThrow();
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
    const small = new RouteTable(
      [upload({ a: { maxBytes: 1_000 }, b: { maxBytes: 100, maxCount: 3 } })],
      options,
    );
    expect(small.find('POST', '/upload')).toMatchObject({
      deadlineMs: 60_000,
      maxBytes: 1_048_576 + 1_300,
    });
    expect(small.longestDeadlineMs).toBe(60_000);
    const large = new RouteTable([upload({ a: { maxBytes: 50_000_000, maxCount: 20 } })], options);
    expect(large.find('POST', '/upload')?.maxBytes).toBe(5_000_000);
    expect(routeOf('POST', '/auth/login')).toMatchObject({ deadlineMs: 15_000, maxBytes: 1_000 });
    expect(routeOf('GET', '/users/profile')?.maxBytes).toBe(0);
  });

  it('opens the log and the signed files of each service, for reading', () => {
    expect(routeOf('GET', '/log/tile/0/000')).toMatchObject({ service: 'documents', access: 'public' });
    expect(routeOf('POST', '/log/checkpoint')).toBeNull();
    const files = routeOf('HEAD', '/files/auth/owner/id');
    expect(files).toMatchObject({ service: 'auth', access: 'public' });
    expect(files?.rewrite?.('/files/auth/owner/id?e=1&s=x')).toBe('/files/owner/id?e=1&s=x');
    expect(routeOf('GET', '/files/stranger/owner/id')).toBeNull();
  });

  it('knows where guessing pays', () => {
    const sensitive = allRoutes()
      .map(({ contract }) => routeOf(contract.method, contract.path.replace(/:\w+/g, 'x1')))
      .filter((route) => route?.sensitive)
      .map((route) => route?.key);
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
