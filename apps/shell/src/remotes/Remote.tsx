import type { ShellContext } from '@karaar/api-client';
import type { RemoteName } from '@karaar/contracts/screens';
import { reloadFailed, useTexts } from '@karaar/i18n';
import { ErrorState, MissingPart, PageSkeleton } from '@karaar/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useDeferredValue } from 'react';
import { Navigate, Outlet, useRoutes, type Location, type RouteObject } from 'react-router';
import { SlowBanner } from './SlowBanner.tsx';
import { useSession } from '../session/SessionProvider.tsx';
import { ScreenBoundary } from './ScreenBoundary.tsx';
import { prefetchScreen } from './prefetch.ts';
import { remoteQuery } from './remote-query.ts';
import { remoteTexts } from './texts.ts';

type RemoteProps = {
  name: RemoteName;
  /** The location to show: the address, or the previous one while the next screen loads. */
  location: Location;
};

/** The screen of a remote for a location; a retry card while the remote is unreachable. */
export function Remote({ name, location }: RemoteProps) {
  const queries = useQueryClient();
  const remote = useQuery(remoteQuery(name));
  // Deferred: rendered in slices when there is time, and once, because a skeleton is shown already.
  const routes = useDeferredValue(remote.data);
  // After a failure the card stays until the remote is loaded, also during a retry.
  if (!remote.data && remote.errorUpdateCount > 0)
    return <MissingPart onRetry={() => void remote.refetch()} retrying={remote.isFetching} />;
  return (
    <ScreenBoundary
      resetKey={location.pathname}
      onRetry={() => Promise.all([prefetchScreen(queries, location.pathname), reloadFailed()])}
    >
      <Suspense fallback={<Loading />}>
        {routes ? <RemoteScreens routes={routes} location={location} /> : <Loading />}
      </Suspense>
    </ScreenBoundary>
  );
}

/** The placeholder of a loading screen; it shows a banner if that takes long. */
const Loading = () => (
  <>
    <SlowBanner />
    <PageSkeleton />
  </>
);

/** The redirect for a path without a screen. */
const HOME = '/dashboard';

function RemoteScreens({ routes, location }: { routes: RouteObject[]; location: Location }) {
  const t = useTexts(remoteTexts);
  const context: ShellContext = useSession();
  const screen = useRoutes([{ element: <Outlet context={context} />, children: routes }], location);
  if (screen) return screen;
  if (location.pathname === HOME) return <ErrorState title={t('failed')} text={t('failedHelp')} />;
  return <Navigate to={HOME} replace />;
}
