/** The admin's sidebar, and the access of each role. */
import type { AdminRole } from '@karaar/contracts/kit';
import { screenRoutes } from '@karaar/contracts/screens';
import type { IconName } from '@karaar/ui';
import { matchPath } from 'react-router';

export type NavKey =
  | 'overview'
  | 'users'
  | 'documents'
  | 'reports'
  | 'payments'
  | 'exceptions'
  | 'failedEvents'
  | 'pricing'
  | 'cms'
  | 'audit'
  | 'security';
export type NavEntry = { to: string; label: NavKey; icon: IconName };

/** The specification defines Users, Documents, Payments, Pricing and CMS (§2 Admin). */
export const mainNav: readonly NavEntry[] = [
  { to: '/admin/overview', label: 'overview', icon: 'home' },
  { to: '/admin/users', label: 'users', icon: 'people' },
  { to: '/admin/documents', label: 'documents', icon: 'document' },
  { to: '/admin/reports', label: 'reports', icon: 'flag' },
  { to: '/admin/payments', label: 'payments', icon: 'wallet' },
  { to: '/admin/exceptions', label: 'exceptions', icon: 'alert' },
  { to: '/admin/pricing', label: 'pricing', icon: 'coins' },
  { to: '/admin/cms', label: 'cms', icon: 'pen' },
  { to: '/admin/failed-events', label: 'failedEvents', icon: 'refresh' },
];

export const accountNav: readonly NavEntry[] = [
  { to: '/admin/audit', label: 'audit', icon: 'scroll' },
  { to: '/admin/security', label: 'security', icon: 'shield' },
];

/** Returns true if the services answer the role's requests for the screen at this path. */
export const opens = (role: AdminRole, pathname: string): boolean =>
  screenRoutes.find(({ path }) => matchPath(path, pathname) !== null)?.roles?.includes(role) ?? false;

/** Returns the first screen of a role: an editor has no access to the list of users. */
export const firstOf = (role: AdminRole): NavEntry | undefined =>
  mainNav.find(({ to }) => to !== '/admin/overview' && opens(role, to));

/** The names of the roles. */
export const roleTexts = {
  'super-admin': 'roleSuper',
  support: 'roleSupport',
  editor: 'roleEditor',
} as const satisfies Record<AdminRole, string>;
