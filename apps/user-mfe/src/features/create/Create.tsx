import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { ErrorState, PageSkeleton } from '@karaar/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { documentQuery } from '../../shared/queries.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { isWhole } from '../../shared/roles.ts';
import { useUser } from '../../shared/useShell.ts';
import { AgreementForm } from './AgreementForm.tsx';
import { createTexts } from './texts.ts';
import { currentDraft } from './draft/current-draft.ts';
import { renewalOf } from './form/form.ts';
import { beginWith } from './form/useEntered.ts';

/** A draft that a new form became, and the history entry of that form. */
type Made = { id: string; at: string };

/**
 * A new agreement, or a draft to continue: `?draft=` names the draft, so that a reload finds it. A new
 * agreement saves itself as a draft, and the form stays as it is.
 */
export default function Create() {
  const t = useTexts(createTexts);
  useTitle(t('title'));
  const [search] = useSearchParams();
  const { key } = useLocation();
  const [made, setMade] = useState<Made>();
  const [forms, setForms] = useState(0);
  /** The history entries of this form before it was a draft. */
  const places = useRef(new Set<string>());
  const id = search.get('draft');
  const renewed = search.get('renew');
  if (renewed) return <Renewal key={renewed} id={renewed} />;
  if (id && id !== made?.id) return <Draft key={id} id={id} />;
  if (!id && key !== made?.at) {
    const before = made ? places.current.has(key) && made.id : !isNewlyOpened(key) && currentDraft.at(key);
    if (before) return <ToDraft id={before} />;
    // The link to a new agreement was followed while another was open.
    if (made && !search.has('step')) {
      setMade(undefined);
      setForms(forms + 1);
      places.current = new Set();
    }
    places.current.add(key);
  }
  const become = (draft: string) => {
    setMade({ id: draft, at: key });
    currentDraft.keep(draft, places.current);
  };
  return <AgreementForm key={forms} onMade={become} />;
}

/**
 * Returns true if the address was entered or followed from another site, not reached by reload or Back. The
 * router's first entry has this key.
 */
function isNewlyOpened(key: string): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return key === 'default' && entry?.type === 'navigate';
}

function ToDraft({ id }: { id: string }) {
  const [search] = useSearchParams();
  const to = new URLSearchParams(search);
  to.set('draft', id);
  return <Navigate to={`/document/create?${to}`} replace />;
}

function Draft({ id }: { id: string }) {
  const t = useTexts(createTexts);
  const draft = useQuery({ ...documentQuery(id), refetchOnWindowFocus: false, refetchOnMount: 'always' });
  if (draft.isLoadingError) {
    return (
      <ErrorState
        title={toastText(draft.error, t('draftLoadFailed'))}
        onRetry={() => void draft.refetch()}
        retrying={draft.isFetching}
      />
    );
  }
  // The form starts from a freshly loaded version, not from the cache, and ignores later ones.
  if (!draft.data || !draft.isFetchedAfterMount) return <PageSkeleton />;
  if (!isWhole(draft.data) || draft.data.status !== 'draft')
    return <Navigate to={`/document/${id}`} replace />;
  return <AgreementForm draft={draft.data} />;
}

/** A new agreement after one that ends: its details are filled in; its documents are uploaded again. */
function Renewal({ id }: { id: string }) {
  const t = useTexts(createTexts);
  const { user_id } = useUser();
  const queries = useQueryClient();
  const ended = useQuery(documentQuery(id));
  const [ready, setReady] = useState(false);
  const { data } = ended;
  useEffect(() => {
    if (!data) return;
    if (isWhole(data)) beginWith(queries, renewalOf(data, user_id));
    setReady(true);
  }, [data, queries, user_id]);
  if (ended.isLoadingError) {
    return (
      <ErrorState
        title={toastText(ended.error, t('renewFailed'))}
        onRetry={() => void ended.refetch()}
        retrying={ended.isFetching}
      />
    );
  }
  if (!ready || !data) return <PageSkeleton />;
  const to = isWhole(data) ? '/document/create' : `/document/${id}`;
  return <Navigate to={to} state={{ renewed: true }} replace />;
}
