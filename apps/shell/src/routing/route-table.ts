/** Which screen a path shows, and to whom (spec §2, design §3 Access). Pure; RouteGate renders its decisions. */
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
 * @param pathname the path asked for
 * @param search its query string with the question mark, or empty
 */
export function decideRoute(pathname: string, search: string, visitor: Visitor): Decision {
  const route = screenRoutes.find(({ path }) => matchPath(path, pathname) !== null);
  if (route) {
    const elsewhere = notFor(route.access, visitor);
    if (elsewhere) return redirect(elsewhere);
    // A public page that a signed-in user opens too is in the layout that the user knows.
    const frame = route.access === 'open' && visitor.isAuthenticated ? 'app' : route.frame;
    return { kind: 'screen', remote: route.remote, frame };
  }
  // Without an admin token, no path below /admin shows whether it exists.
  if (!visitor.hasAdminToken && matchPath('/admin/*', pathname)) return redirect(screenHomes['admin-guest']);
  const onward = Object.entries(screenRedirects).find(([path]) => matchPath(path, pathname) !== null);
  return redirect(onward ? `${onward[1]}${search}` : screenHomes.unknown);
}

/** Where a visitor is sent for whom a screen is not; null when it is. */
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
