/** Which screen a path shows, and to whom (spec §2, design §3 Access). Pure; RouteGate renders its decisions. */
import { matchPath } from 'react-router';

export type RemoteName = 'user' | 'admin';
export type Frame = 'app' | 'public' | 'bare';

type Screen = { kind: 'screen'; remote: RemoteName; frame: Frame };
export type Decision = Screen | { kind: 'redirect'; to: string };

export type Visitor = { isAuthenticated: boolean; hasAdminToken: boolean };

/** Screens for logged-in users. /document/create and /document/join stand before /document/:id. */
const USER_ROUTES = [
  '/dashboard',
  '/document/create',
  '/document/join',
  '/document/:id',
  '/document/:id/payment',
  '/profile',
  '/wallet',
  '/chat',
  '/chat/:userId',
  '/pricing',
  '/about',
  '/contact',
  '/terms',
  '/privacy',
] as const;

/** Screens before login; a logged-in user is sent to the dashboard. */
const ENTRY_ROUTES = ['/login', '/register', '/camera'] as const;

const matches = (patterns: readonly string[], pathname: string) =>
  patterns.some((pattern) => matchPath(pattern, pathname) !== null);

const redirect = (to: string): Decision => ({ kind: 'redirect', to });

/**
 * @param pathname the path asked for
 * @param search its query string with the question mark, or empty
 */
export function decideRoute(pathname: string, search: string, visitor: Visitor): Decision {
  if (matches(ENTRY_ROUTES, pathname)) {
    return visitor.isAuthenticated
      ? redirect('/dashboard')
      : { kind: 'screen', remote: 'user', frame: 'public' };
  }
  if (matches(['/join-document'], pathname)) return redirect(`/document/join${search}`);
  if (matches(['/admin', '/admin/*'], pathname)) return adminRoute(pathname, visitor);
  if (!matches(USER_ROUTES, pathname)) return redirect('/dashboard');
  return visitor.isAuthenticated ? { kind: 'screen', remote: 'user', frame: 'app' } : redirect('/login');
}

function adminRoute(pathname: string, visitor: Visitor): Decision {
  const atLogin = matches(['/admin/login'], pathname);
  if (atLogin && visitor.hasAdminToken) return redirect('/admin/users');
  if (!atLogin && !visitor.hasAdminToken) return redirect('/admin/login');
  if (matches(['/admin'], pathname)) return redirect('/admin/users');
  return { kind: 'screen', remote: 'admin', frame: 'bare' };
}
