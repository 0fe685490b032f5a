import { ApiError, toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, Sheet, userName } from '@karaar/ui';
import { Welcome } from '@karaar/ui/pictures';
import { DetailSkeleton } from '@karaar/ui/skeletons';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from 'react-router';
import { ToDashboard } from '../../shared/ToDashboard.tsx';
import { documentQuery, workQuery } from '../../shared/queries.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { DocumentView } from './DocumentView.tsx';
import { isWhole, type Stub } from '../../shared/roles.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';

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
      <StubView stub={document.data} />
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

function StubView({ stub }: { stub: Stub }) {
  const t = useTexts(detailTexts);
  const work = useQuery(workQuery);
  const creator = userName(stub.primary_user_name);
  if (work.isPending) return <DetailSkeleton label={t('details')} />;
  const hasAsked = work.data?.others.some(
    ({ kind, document_id }) => kind === 'admission' && document_id === stub.document_id,
  );
  return (
    <Sheet>
      {hasAsked ? (
        <Welcome
          picture="people"
          title={t('askedTitle', { name: stub.name })}
          text={t('askedText', { name: creator })}
          action={<ToDashboard />}
        />
      ) : (
        <Welcome
          picture="people"
          title={t('stubTitle', { name: stub.name })}
          text={t('stubText', { name: creator })}
          action={
            <Button as={Link} to="/document/join" variant="primary" icon="join">
              {t('joinDocument')}
            </Button>
          }
        />
      )}
    </Sheet>
  );
}
