import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { ErrorState, PageSkeleton } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearchParams } from 'react-router';
import { documentQuery } from '../../shared/queries.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { isWhole } from '../detail/roles.ts';
import { AgreementForm } from './AgreementForm.tsx';
import { createTexts } from './texts.ts';

/** A new agreement, or a draft of one that goes on: `?draft=` names it, so that a reload finds it again. */
export default function Create() {
  const t = useTexts(createTexts);
  useTitle(t('title'));
  const [search] = useSearchParams();
  const id = search.get('draft');
  return id ? <Draft key={id} id={id} /> : <AgreementForm />;
}

function Draft({ id }: { id: string }) {
  const t = useTexts(createTexts);
  const draft = useQuery({ ...documentQuery(id), refetchOnWindowFocus: false });
  if (draft.isLoadingError) {
    return (
      <ErrorState
        title={toastText(draft.error, t('draftLoadFailed'))}
        onRetry={() => void draft.refetch()}
        retrying={draft.isFetching}
      />
    );
  }
  if (!draft.data) return <PageSkeleton />;
  if (!isWhole(draft.data) || draft.data.status !== 'draft')
    return <Navigate to={`/document/${id}`} replace />;
  // Drawn anew after each save: what was uploaded then stands among the files of the draft.
  return <AgreementForm key={draft.data.version} draft={draft.data} />;
}
