import { toastText } from '@karaar/api-client';
import { screen, useTexts } from '@karaar/i18n';
import { Button, LoadBoundary, Banner, Page } from '@karaar/ui';
import { CardsSkeleton, TableSkeleton } from '@karaar/ui/skeletons';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useDeferredValue, useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { documentCountsQuery, pendingAgreementsQuery, workQuery } from '../../shared/queries.ts';
import { dueQuery, topUpsQuery } from './due-query.ts';
import { sharedTexts } from '../../shared/texts.ts';
import { useUser } from '../../shared/useShell.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { verificationTexts } from '../verification/texts.ts';
import { Counters } from './Counters.tsx';
import { DocumentList } from './DocumentList.tsx';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import { Shortcuts } from './Shortcuts.tsx';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import { useDocumentList } from './useDocumentList.ts';
import { Worklist } from './Worklist.tsx';

/** The dialog for answers, with the whole verification: loaded only for users with open invitations. */
const PendingAgreements = screen(
  () => import('./PendingAgreements.tsx'),
  [dashboardTexts, detailTexts, sharedTexts, verificationTexts],
);

/** The start page: open work, documents, and the two ways to a new one. */
export default function Dashboard() {
  const t = useTexts(dashboardTexts);
  useTitle(t('title'));
  const user = useUser();
  const counts = useQuery(documentCountsQuery);
  const pending = useQuery(pendingAgreementsQuery);
  const work = useQuery(workQuery);
  const due = useQuery(dueQuery);
  const topUps = useQuery(topUpsQuery);
  const list = useDocumentList();
  const { answering, answer } = useAnswering();
  const waiting = pending.data?.length ?? 0;
  // The first task has the primary action.
  const isNeeded = [work.data?.mine, due.data, topUps.data?.top_ups].some((tasks) => tasks?.length);
  useEffect(() => {
    // Preloaded for the press; a failed load is retried then.
    if (waiting > 0) PendingAgreements.preload().catch(() => undefined);
  }, [waiting]);

  // Rendered all at once: parts that appear one by one would move what the user reads or presses. Deferred,
  // so that React renders in slices.
  const loaded = useDeferredValue([work, due, topUps, counts, pending].every(({ isLoading }) => !isLoading));
  if (!loaded) return <DashboardSkeleton />;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {waiting > 0 && (
            <Button icon="clock" onClick={() => answer(true)}>
              {t('pending', { count: waiting })}
            </Button>
          )}
          <Button as={Link} to="/document/join" icon="join">
            {t('join')}
          </Button>
          <Button as={Link} to="/document/create" variant={isNeeded ? 'secondary' : 'primary'} icon="plus">
            {t('create')}
          </Button>
        </>
      }
    >
      {!user.profile.isComplete && <IncompleteProfile percent={user.profile.completionPercentage} />}
      {pending.isError && <Banner tone="rejected">{toastText(pending.error, t('pendingFailed'))}</Banner>}
      <Worklist />
      <Counters counts={counts.data} />
      <Shortcuts />
      <DocumentList
        userId={user.user_id}
        counts={counts.data}
        documents={list}
        asked={(work.data?.others ?? []).filter(({ kind }) => kind === 'admission')}
      />
      {answering && pending.data && (
        <LoadBoundary>
          <Suspense>
            <PendingAgreements agreements={pending.data} onClose={() => answer(false)} />
          </Suspense>
        </LoadBoundary>
      )}
    </Page>
  );
}

/** Keeps the open state of the dialog in the address: Back closes it, and a reload or a link opens it. */
function useAnswering() {
  const [search, setSearch] = useSearchParams();
  const answer = (open: boolean) =>
    setSearch(
      (now) => {
        if (open) now.set('requests', '');
        else now.delete('requests');
        return now;
      },
      { replace: !open },
    );
  return { answering: search.has('requests'), answer };
}

function IncompleteProfile({ percent }: { percent: number }) {
  const t = useTexts(dashboardTexts);
  return (
    <Banner
      tone="waiting"
      action={
        <Button as={Link} to="/profile" compact>
          {t('completeProfile')}
        </Button>
      }
    >
      {t('incomplete', { percent })}
    </Banner>
  );
}

function DashboardSkeleton() {
  const t = useTexts(dashboardTexts);
  return (
    <Page title={t('title')}>
      <CardsSkeleton label={t('counters')} />
      <TableSkeleton label={t('allDocuments')} />
    </Page>
  );
}
