import { call, toastText, type ShellContext } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { screenHomes } from '@karaar/contracts/screens';
import { useTexts } from '@karaar/i18n';
import { AppFrame, Button, EmptyState, ErrorState, PageSkeleton, Stack, toast } from '@karaar/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, Navigate, Outlet, useLocation, useOutletContext } from 'react-router';
import { SealBanner } from '../features/seal/SealBanner.tsx';
import { ADMIN_KEY, meQuery } from '../shared/queries.ts';
import type { AdminContext, Me } from '../shared/useAdmin.ts';
import { AdminSidebar } from './AdminSidebar.tsx';
import css from './layout.module.css';
import { firstOf, opens, roleTexts } from './navigation.ts';
import { layoutTexts } from './texts.ts';

/** The frame of every admin screen: the admin, the navigation, and a notice on screens without access. */
export default function AdminLayout() {
  const t = useTexts(layoutTexts);
  const shell = useOutletContext<ShellContext>();
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const { pathname } = useLocation();

  const signOut = async () => {
    // The session ends here in any case; if the request fails, the token is valid until it expires.
    await call(authRoutes.adminLogout).catch(() => undefined);
    queries.removeQueries({ queryKey: [ADMIN_KEY] });
    shell.adminSignOut();
    toast.success(t('signedOut'));
  };

  return (
    <AppFrame
      place={pathname}
      homeLink={(brand, className) => (
        <Link to={screenHomes.admin} className={className} aria-label="Karaar">
          {brand}
        </Link>
      )}
      nav={(close) => <AdminSidebar me={me.data} onChoose={close} onSignOut={() => void signOut()} />}
      topBar={<WhoIsHere me={me.data} />}
    >
      {me.isPending && <PageSkeleton />}
      {me.isError && (
        <ErrorState
          title={toastText(me.error, t('loadFailed'))}
          onRetry={() => void me.refetch()}
          retrying={me.isFetching}
        />
      )}
      {me.data && (
        <Stack gap={2}>
          <SealBanner role={me.data.role} />
          <ForRole me={me.data}>
            <Outlet context={{ ...shell, me: me.data } satisfies AdminContext} />
          </ForRole>
        </Stack>
      )}
    </AppFrame>
  );
}

function WhoIsHere({ me }: { me: Me | undefined }) {
  const t = useTexts(layoutTexts);
  return (
    <div className={css.who}>
      <span className={css.area}>{t('administration')}</span>
      {me && (
        <span className={css.person}>
          <span className={css.name}>{me.username}</span>
          <span className={css.role}>{t(roleTexts[me.role])}</span>
        </span>
      )}
    </div>
  );
}

/** The screen, or a notice for a role without access. */
function ForRole({ me, children }: { me: Me; children: ReactNode }) {
  const t = useTexts(layoutTexts);
  const { pathname } = useLocation();
  if (opens(me.role, pathname)) return children;
  const first = firstOf(me.role);
  if (first && pathname === screenHomes.admin) return <Navigate to={first.to} replace />;
  return (
    <EmptyState
      icon="shield"
      title={t('forbiddenTitle')}
      text={t('forbiddenText', { role: t(roleTexts[me.role]) })}
      action={
        first && (
          <Button as={Link} to={first.to} variant="primary">
            {t('forbiddenAction', { page: t(first.label) })}
          </Button>
        )
      }
    />
  );
}
