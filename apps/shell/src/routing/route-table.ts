/**
 * Decides the screen of a path and its access (spec §2, design §3 Access). Pure; RouteGate renders the
 * decisions.
 */
import {
  screenHomes,
  screenRedirects,
  screenRoutes,
  type Frame,
  type RemoteName,
  type ScreenAccess,
} from '@karaar/contracts/screens';
import { matchPath } from 'react-router';

export type ScreenDecision = { kind: 'screen'; remote: RemoteName; frame: Frame };
export type Decision = ScreenDecision | { kind: 'redirect'; to: string };

export type Visitor = { isAuthenticated: boolean; hasAdminToken: boolean };

const redirect = (to: string): Decision => ({ kind: 'redirect', to });

/**
 * @param pathname the requested path
 * @param search its query string with the question mark, or empty
 */
export function decideRoute(pathname: string, search: string, visitor: Visitor): Decision {
  const route = screenRoutes.find(({ path }) => matchPath(path, pathname) !== null);
  if (route) {
    const elsewhere = notFor(route.access, visitor);
    if (elsewhere) return redirect(elsewhere);
    // A signed-in user sees a public page in the usual layout.
    const frame = route.access === 'open' && visitor.isAuthenticated ? 'app' : route.frame;
    return { kind: 'screen', remote: route.remote, frame };
  }
  // Without an admin token, no path below /admin shows whether it exists.
  if (!visitor.hasAdminToken && matchPath('/admin/*', pathname)) return redirect(screenHomes['admin-guest']);
  const onward = Object.entries(screenRedirects).find(([path]) => matchPath(path, pathname) !== null);
  return redirect(onward ? `${onward[1]}${search}` : screenHomes.unknown);
}

/** Returns the redirect for a visitor without access; null with access. */
function notFor(access: ScreenAccess, { isAuthenticated, hasAdminToken }: Visitor): string | null {
  switch (access) {
    case 'user':
      return isAuthenticated ? null : screenHomes.guest;
    case 'guest':
      return isAuthenticated ? screenHomes.user : null;
    case 'admin':
      return hasAdminToken ? null : screenHomes['admin-guest'];
    case 'admin-guest':
      return hasAdminToken ? screenHomes.admin : null;
    case 'open':
      return null;
  }
}
