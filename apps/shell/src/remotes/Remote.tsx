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
  /** The place to show: the address, or the one before it while its screen is being got ready. */
  location: Location;
};

/** The screen that a remote has for a place; a retry card while the remote cannot be reached. */
export function Remote({ name, location }: RemoteProps) {
  const queries = useQueryClient();
  const remote = useQuery(remoteQuery(name));
  // Drawn in slices, as soon as there is time; as a skeleton is there already, it is drawn once and whole.
  const routes = useDeferredValue(remote.data);
  // Once it has failed the card stays until it is there, also while it is tried again.
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

/** What stands where a screen is being loaded; it says so when that takes long. */
const Loading = () => (
  <>
    <SlowBanner />
    <PageSkeleton />
  </>
);

/** Where the visitor goes whose path the remote has no screen for. */
const HOME = '/dashboard';

function RemoteScreens({ routes, location }: { routes: RouteObject[]; location: Location }) {
  const t = useTexts(remoteTexts);
  const { user, signIn, signOut, replaceUser, adminSignIn, adminSignOut, live } = useSession();
  const context: ShellContext = { user, signIn, signOut, replaceUser, adminSignIn, adminSignOut, live };
  const screen = useRoutes([{ element: <Outlet context={context} />, children: routes }], location);
  if (screen) return screen;
  if (location.pathname === HOME) return <ErrorState title={t('failed')} text={t('failedHelp')} />;
  return <Navigate to={HOME} replace />;
}
