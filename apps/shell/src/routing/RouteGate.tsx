import { PublicFrame } from '@karaar/ui';
import { useEffect } from 'react';
import { Link, Navigate, useLocation, type Location } from 'react-router';
import { FrontLinks } from '../layout/FrontLinks.tsx';
import { ProductPromise } from '../layout/Promise.tsx';
import { UserLayout } from '../layout/UserLayout.tsx';
import { Announcer } from '../navigation/Announcer.tsx';
import { NavigationBar } from '../navigation/NavigationBar.tsx';
import { useFocusOnNavigation } from './useFocusOnNavigation.ts';
import { useScrollRestoration } from './useScrollRestoration.ts';
import { useShown, type Shown } from './useShown.ts';
import { Banners } from '../offline/Banners.tsx';
import { Remote } from '../remotes/Remote.tsx';
import { usePrefetchOnIntent } from '../remotes/usePrefetchOnIntent.ts';
import { forgetReturn, rememberReturn, returnPath } from '../session/return-path.ts';
import { useSession, type SessionValue } from '../session/SessionProvider.tsx';
import { decideRoute, type Decision } from './route-table.ts';

/** Shows the screen of the current path, or redirects the visitor. */
export function RouteGate() {
  const location = useLocation();
  const session = useSession();
  const decision = decideRoute(location.pathname, location.search, session);
  useReturnPaths(location, decision, session);
  usePrefetchOnIntent();
  const { shown, pending } = useShown(location, decision);
  return (
    <>
      <NavigationBar active={pending} />
      <Announcer />
      {decision.kind === 'redirect' && <Navigate to={destination(decision.to, location, session)} replace />}
      {shown && <ShownScreen shown={shown} />}
      <Banners />
    </>
  );
}

function ShownScreen({ shown }: { shown: Shown }) {
  useScrollRestoration(shown);
  useFocusOnNavigation(shown);
  const screen = <Remote name={shown.screen.remote} location={shown.location} />;
  if (shown.screen.frame === 'app') return <UserLayout>{screen}</UserLayout>;
  if (shown.screen.frame === 'public' || shown.screen.frame === 'front') {
    const front = shown.screen.frame === 'front';
    return (
      <PublicFrame
        homeLink={(brand, className) => (
          <Link to="/welcome" className={className} aria-label="Karaar">
            {brand}
          </Link>
        )}
        foot={front ? null : <FrontLinks />}
        aside={front ? null : <ProductPromise />}
        wide={front}
      >
        {screen}
      </PublicFrame>
    );
  }
  return screen;
}

/** After sign-in the user goes to the page that was requested before. */
function destination(to: string, { pathname }: Location, session: SessionValue): string {
  if (pathname === '/admin/login') return returnPath('admin', null) ?? to;
  const entry = session.isAuthenticated && to === '/dashboard' && /^\/(login|register)\/?$/.test(pathname);
  return (entry ? returnPath('user', session.user?.user_id ?? null) : null) ?? to;
}

/**
 * Remembers the location from which a visitor was redirected, until sign-in has led there or the user has
 * logged out.
 */
function useReturnPaths(location: Location, decision: Decision, session: SessionValue): void {
  const { loggedOut, adminLoggedOut, lastUserId } = session;
  const turnedAway = decision.kind === 'redirect' ? decision.to : null;
  const inside = decision.kind === 'screen' ? decision : null;
  useEffect(() => {
    const address = location.pathname + location.search + location.hash;
    if (turnedAway === '/login' && !loggedOut) rememberReturn('user', address, lastUserId);
    if (turnedAway === '/admin/login' && !adminLoggedOut) rememberReturn('admin', address, null);
    if (inside?.frame === 'app') forgetReturn('user');
    if (inside?.remote === 'admin' && location.pathname !== '/admin/login') forgetReturn('admin');
  }, [location, turnedAway, loggedOut, adminLoggedOut, lastUserId, inside?.frame, inside?.remote]);
}
