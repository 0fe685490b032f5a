import type { ShellContext } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { ErrorState, PageSkeleton } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Navigate, Outlet, useLocation, useRoutes, type RouteObject } from 'react-router';
import type { RemoteName } from '@karaar/contracts/screens';
import { useSession } from '../session/SessionProvider.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { loadRoutes } from './load-remote.ts';
import { REMOTE_KEY } from './remote-key.ts';
import { remoteTexts } from './texts.ts';

/** The screen that a remote has for the current path; a retry card while the remote cannot be reached. */
export function Remote({ name }: { name: RemoteName }) {
  const t = useTexts(remoteTexts);
  const { pathname } = useLocation();
  const remote = useQuery({
    queryKey: [REMOTE_KEY, name],
    queryFn: () => loadRoutes(name),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  if (remote.data) {
    return (
      <ErrorBoundary resetKey={pathname}>
        <Suspense fallback={<PageSkeleton />}>
          <RemoteScreens routes={remote.data} />
        </Suspense>
      </ErrorBoundary>
    );
  }
  if (!remote.error) return <PageSkeleton />;
  return (
    <ErrorState
      title={t('unreachable')}
      text={t('unreachableHelp')}
      onRetry={() => void remote.refetch()}
      retrying={remote.isFetching}
    />
  );
}

/** Where the visitor goes whose path the remote has no screen for. */
const HOME = '/dashboard';

function RemoteScreens({ routes }: { routes: RouteObject[] }) {
  const t = useTexts(remoteTexts);
  const { user, signIn, signOut, replaceUser } = useSession();
  const { pathname } = useLocation();
  const context: ShellContext = { user, signIn, signOut, replaceUser };
  const screen = useRoutes([{ element: <Outlet context={context} />, children: routes }]);
  if (screen) return screen;
  if (pathname === HOME) return <ErrorState title={t('failed')} text={t('failedHelp')} />;
  return <Navigate to={HOME} replace />;
}
