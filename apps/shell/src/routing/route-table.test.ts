import { screenRoutes } from '@karaar/contracts/screens';
import fc from 'fast-check';
import { decideRoute } from './route-table.ts';

const user = { isAuthenticated: true, hasAdminToken: false };
const admin = { isAuthenticated: false, hasAdminToken: true };
const nobody = { isAuthenticated: false, hasAdminToken: false };
const to = (path: string) => ({ kind: 'redirect', to: path });
const app = { kind: 'screen', remote: 'user', frame: 'app' };

const userPaths = [
  '/dashboard',
  '/document/create',
  '/document/join',
  '/document/d1',
  '/document/d1/payment',
  '/profile',
  '/wallet',
  '/chat',
  '/chat/u2',
  '/pricing',
  '/about',
  '/contact',
  '/terms',
  '/privacy',
];

describe('decideRoute', () => {
  it.each(userPaths)('%s is a screen for a logged-in user and leads to /login otherwise', (path) => {
    expect(decideRoute(path, '', user)).toEqual(app);
    expect(decideRoute(path, '', nobody)).toEqual(to('/login'));
    expect(decideRoute(path, '', admin)).toEqual(to('/login'));
  });

  it('[ROUTE-001] / leads to /dashboard', () => {
    expect(decideRoute('/', '', user)).toEqual(to('/dashboard'));
  });

  it.each(['/login', '/register', '/camera'])(
    '[ROUTE-020] a logged-in user at %s goes to /dashboard',
    (path) => {
      expect(decideRoute(path, '', user)).toEqual(to('/dashboard'));
      expect(decideRoute(path, '', nobody)).toMatchObject({ kind: 'screen', frame: 'public' });
    },
  );

  it('[ROUTE-030] an unknown path leads to /dashboard', () => {
    fc.assert(
      fc.property(
        fc.webPath().filter((path) => path !== ''),
        (path) => {
          const decision = decideRoute(`/x${path}`, '', user);
          expect(decision).toEqual(to('/dashboard'));
        },
      ),
    );
  });

  it('[ROUTE-035] /join-document keeps the code in its redirect to /document/join', () => {
    expect(decideRoute('/join-document', '?code=9H4TR2WK', user)).toEqual(to('/document/join?code=9H4TR2WK'));
  });

  it('[ROUTE-036] /admin/* needs an admin token, and an admin at /admin/login goes to /admin/users', () => {
    for (const path of ['/admin', '/admin/users', '/admin/cms/about']) {
      expect(decideRoute(path, '', nobody)).toEqual(to('/admin/login'));
      expect(decideRoute(path, '', user)).toEqual(to('/admin/login'));
    }
    expect(decideRoute('/admin/login', '', admin)).toEqual(to('/admin/users'));
    expect(decideRoute('/admin', '', admin)).toEqual(to('/admin/users'));
    for (const path of ['/admin/users', '/admin/documents/d1', '/admin/cms', '/admin/cms/privacy'])
      expect(decideRoute(path, '', admin)).toEqual({ kind: 'screen', remote: 'admin', frame: 'bare' });
    expect(decideRoute('/admin/nothing', '', admin)).toEqual(to('/dashboard'));
    expect(decideRoute('/admin/nothing', '', user)).toEqual(to('/admin/login'));
  });

  it.each(['/verify', '/verify/9H4TR2WK'])('%s is for all visitors, in the layout of the visitor', (path) => {
    expect(decideRoute(path, '', nobody)).toEqual({ kind: 'screen', remote: 'user', frame: 'public' });
    expect(decideRoute(path, '', user)).toEqual(app);
  });

  it('shows every screen of the table to a user, and each in its own entry', () => {
    for (const route of screenRoutes) {
      const path = route.path.replaceAll(/:\w+/g, 'x1');
      const visitor = { user, guest: nobody, open: nobody, admin, 'admin-guest': nobody }[route.access];
      expect([path, decideRoute(path, '', visitor)]).toEqual([
        path,
        { kind: 'screen', remote: route.remote, frame: route.frame },
      ]);
    }
    expect(new Set(screenRoutes.map(({ path }) => path)).size).toBe(screenRoutes.length);
  });

  it('never redirects in circles', () => {
    const paths = fc.oneof(
      fc.constantFrom('/', '/login', '/admin', '/admin/login', '/join-document', ...userPaths),
      fc.webPath(),
    );
    fc.assert(
      fc.property(
        paths,
        fc.record({ isAuthenticated: fc.boolean(), hasAdminToken: fc.boolean() }),
        (path, visitor) => {
          let current = path;
          for (let hop = 0; hop < 3; hop += 1) {
            const decision = decideRoute(current.split('?')[0] ?? '', '', visitor);
            if (decision.kind === 'screen') return;
            current = decision.to;
          }
          throw new Error(`No end of redirects from ${path}`);
        },
      ),
    );
  });
});
