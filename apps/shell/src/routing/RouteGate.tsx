import { PublicFrame } from '@karaar/ui';
import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ProductPromise } from '../layout/Promise.tsx';
import { UserLayout } from '../layout/UserLayout.tsx';
import { Remote } from '../remotes/Remote.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { decideRoute } from './route-table.ts';

/** Shows the screen of the current path, or sends the visitor where the path leads. */
export function RouteGate() {
  const { pathname, search } = useLocation();
  const session = useSession();
  const decision = decideRoute(pathname, search, session);
  useEffect(() => {
    // Its result is no cleanup: newer browsers answer a promise.
    window.scrollTo(0, 0);
  }, [pathname]);
  if (decision.kind === 'redirect') return <Navigate to={decision.to} replace />;
  const screen = <Remote name={decision.remote} />;
  if (decision.frame === 'app') return <UserLayout>{screen}</UserLayout>;
  if (decision.frame === 'public') return <PublicFrame aside={<ProductPromise />}>{screen}</PublicFrame>;
  return screen;
}
