import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, Notice, Page, Sheet } from '@karaar/ui';
import { TableSkeleton } from '@karaar/ui/skeletons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { myDocumentsQuery, pendingAgreementsQuery } from '../../shared/queries.ts';
import { useUser } from '../../shared/useShell.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { Counters } from './Counters.tsx';
import { DocumentList } from './DocumentList.tsx';
import { PendingAgreements } from './PendingAgreements.tsx';
import { Shortcuts } from './Shortcuts.tsx';
import { dashboardTexts } from './texts.ts';

/** Where a user starts: what waits, what there is, and the two ways to a document. */
export default function Dashboard() {
  const t = useTexts(dashboardTexts);
  useTitle(t('title'));
  const user = useUser();
  const documents = useQuery(myDocumentsQuery);
  const pending = useQuery(pendingAgreementsQuery);
  const [answering, setAnswering] = useState(false);
  const waiting = pending.data?.length ?? 0;

  return (
    <Page
      title={t('title')}
      actions={
        <>
          {waiting > 0 && (
            <Button icon="clock" onClick={() => setAnswering(true)}>
              {t('pending', { count: waiting })}
            </Button>
          )}
          <Button as={Link} to="/document/join" icon="join">
            {t('join')}
          </Button>
          <Button as={Link} to="/document/create" variant="primary" icon="plus">
            {t('create')}
          </Button>
        </>
      }
    >
      {!user.profile.isComplete && (
        <Notice
          tone="waiting"
          action={
            <Button as={Link} to="/profile" compact>
              {t('completeProfile')}
            </Button>
          }
        >
          {t('incomplete', { percent: user.profile.completionPercentage })}
        </Notice>
      )}
      {pending.isError && <Notice tone="rejected">{toastText(pending.error, t('pendingFailed'))}</Notice>}
      <Counters documents={documents.data} />
      <Shortcuts />
      <Sheet title={t('allDocuments')} flush>
        {documents.isPending && <TableSkeleton label={t('allDocuments')} />}
        {documents.isError && (
          <ErrorState
            title={toastText(documents.error, t('loadFailed'))}
            onRetry={() => void documents.refetch()}
            retrying={documents.isFetching}
          />
        )}
        {documents.data && <DocumentList documents={documents.data} userId={user.user_id} />}
      </Sheet>
      {answering && <PendingAgreements agreements={pending.data ?? []} onClose={() => setAnswering(false)} />}
    </Page>
  );
}
