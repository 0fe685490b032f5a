/**
 * Every screen of the product by its path (spec §2, design §3 Access): used by the shell's router, and by
 * scripts that visit all screens (pictures, axe, keyboard, untranslated text). Data only, for browser and
 * Node.
 */

import { ADMIN_ROLES, EDITORS, SUPER_ADMINS, SUPPORTERS, type AdminRole } from './kit.ts';

/** The remote app that contains a screen. */
export type RemoteName = 'user' | 'admin';

/** The layout around a screen: signed-in, before sign-in, public pages, or none. */
export type Frame = 'app' | 'public' | 'front' | 'bare';

/**
 * The visitors of a screen: `user` – signed-in users, others go to /login; `guest` – before sign-in, a
 * signed-in user goes to /dashboard; `open` – all visitors; `admin` – with an admin token, others go to
 * /admin/login; `admin-guest` – before the admin's sign-in, an admin goes to /admin/users.
 */
export type ScreenAccess = 'user' | 'guest' | 'open' | 'admin' | 'admin-guest';

export type ScreenRoute = {
  /** A path pattern; `:name` matches one segment. The first match is used. */
  path: string;
  access: ScreenAccess;
  remote: RemoteName;
  frame: Frame;
  /** For an admin's screen: the roles that may call its routes. */
  roles?: readonly AdminRole[];
};

const user = (path: string): ScreenRoute => ({ path, access: 'user', remote: 'user', frame: 'app' });
const guest = (path: string): ScreenRoute => ({ path, access: 'guest', remote: 'user', frame: 'public' });
const open = (path: string): ScreenRoute => ({ path, access: 'open', remote: 'user', frame: 'public' });
const front = (path: string): ScreenRoute => ({ path, access: 'open', remote: 'user', frame: 'front' });
const admin = (path: string, roles: readonly AdminRole[]): ScreenRoute => ({
  path,
  access: 'admin',
  remote: 'admin',
  frame: 'bare',
  roles,
});

/** All screens. /document/create and /document/join come before /document/:id. */
export const screenRoutes: readonly ScreenRoute[] = [
  guest('/login'),
  guest('/register'),
  guest('/camera'),
  front('/welcome'),
  front('/welcome/about'),
  front('/welcome/contact'),
  front('/welcome/terms'),
  front('/welcome/privacy'),
  front('/welcome/help'),
  open('/invitation'),
  open('/invitation/stop'),
  open('/verify'),
  open('/verify/:code'),
  user('/dashboard'),
  user('/document/create'),
  user('/document/join'),
  user('/document/:id'),
  user('/document/:id/payment'),
  user('/profile'),
  user('/wallet'),
  user('/chat'),
  user('/chat/:userId'),
  user('/pricing'),
  user('/notifications'),
  user('/notifications/settings'),
  user('/about'),
  user('/contact'),
  user('/terms'),
  user('/privacy'),
  { path: '/admin/login', access: 'admin-guest', remote: 'admin', frame: 'bare' },
  admin('/admin/overview', SUPPORTERS),
  admin('/admin/users', SUPPORTERS),
  admin('/admin/documents', SUPPORTERS),
  admin('/admin/documents/:id', SUPPORTERS),
  admin('/admin/reports', SUPPORTERS),
  admin('/admin/payments', SUPER_ADMINS),
  admin('/admin/exceptions', SUPER_ADMINS),
  admin('/admin/failed-events', SUPER_ADMINS),
  admin('/admin/pricing', SUPER_ADMINS),
  admin('/admin/audit', SUPER_ADMINS),
  admin('/admin/security', ADMIN_ROLES),
  admin('/admin/cms', EDITORS),
  admin('/admin/cms/about', EDITORS),
  admin('/admin/cms/contact', EDITORS),
  admin('/admin/cms/terms', EDITORS),
  admin('/admin/cms/privacy', EDITORS),
  admin('/admin/cms/law', EDITORS),
];

/** Paths that only redirect; the query is kept. Every path in neither list leads to `unknown`. */
export const screenRedirects = {
  '/': '/dashboard',
  '/join-document': '/document/join',
  '/admin': '/admin/users',
} as const;

export const screenHomes = {
  unknown: '/dashboard',
  user: '/dashboard',
  guest: '/login',
  admin: '/admin/users',
  'admin-guest': '/admin/login',
} as const;

/** Returns true if a path is that of a link or below it: the link is then marked as the current one. */
export const isBelow = (link: string, pathname: string): boolean =>
  pathname === link || pathname.startsWith(`${link}/`);

/** Returns the screen of a path, after redirects and in the shell's matching order. */
export function screenAt(path: string) {
  const onward: string = Object.entries(screenRedirects).find(([from]) => from === path)?.[1] ?? path;
  return (
    screenRoutes.find((route) => matches(route.path, onward)) ??
    screenRoutes.find((route) => route.path === screenHomes.unknown)
  );
}

/** Returns true if a path matches a pattern, in which `:name` matches one segment. */
function matches(pattern: string, path: string): boolean {
  const patternParts = pattern.split('/');
  const pathParts = path.replace(/(.)\/$/, '$1').split('/');
  if (patternParts.length !== pathParts.length) return false;
  return patternParts.every((part, i) =>
    part.startsWith(':') ? pathParts[i] !== '' : part === pathParts[i],
  );
}
