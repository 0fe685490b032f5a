import { ApiError, toastText } from '@karaar/api-client';
import { screen, useTexts } from '@karaar/i18n';
import { ErrorState, LoadBoundary } from '@karaar/ui';
import { DetailSkeleton } from '@karaar/ui/skeletons';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Navigate, useParams } from 'react-router';
import { ToDashboard } from '../../shared/ToDashboard.tsx';
import { documentQuery } from '../../shared/queries.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { DocumentView } from './DocumentView.tsx';
import { isWhole } from '../../shared/roles.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';

const StubView = screen(() => import('./StubView.tsx'), []);

/** Milliseconds between two polls of a document that still changes; shorter while it is being sealed. */
const REFRESH_MS = 10_000;
const SEALING_MS = 1_500;

/** A document: complete for its parties, a form to join for others. */
export default function Detail() {
  const t = useTexts(detailTexts);
  const { id = '' } = useParams();
  const document = useQuery({
    ...documentQuery(id),
    refetchInterval: ({ state: { data } }) => {
      if (!data || !isWhole(data)) return false;
      if (data.status === 'finalized') return false;
      return data.finalization?.state === 'running' ? SEALING_MS : REFRESH_MS;
    },
  });
  useTitle(document.data?.name ?? t('details'));
  if (document.data?.status === 'draft') return <Navigate to={`/document/create?draft=${id}`} replace />;
  if (document.data) {
    return isWhole(document.data) ? (
      <DocumentView document={document.data} />
    ) : (
      <LoadBoundary>
        <Suspense fallback={<DetailSkeleton label={t('details')} />}>
          <StubView stub={document.data} />
        </Suspense>
      </LoadBoundary>
    );
  }
  if (!document.error) return <DetailSkeleton label={t('details')} />;
  const gone = document.error instanceof ApiError && document.error.status === 404;
  return (
    <ErrorState
      title={toastText(document.error, t('loadFailed'))}
      {...(gone
        ? { action: <ToDashboard /> }
        : { onRetry: () => void document.refetch(), retrying: document.isFetching })}
    />
  );
}
