import { ApiError, toastText } from '@karaar/api-client';
import type { AdminDocumentDetail } from '@karaar/contracts/documents/http';
import { SUPER_ADMINS } from '@karaar/contracts/kit';
import { useTexts } from '@karaar/i18n';
import {
  Button,
  CodeText,
  EmptyState,
  ErrorState,
  Facts,
  fileSize,
  formatDate,
  formatDateTime,
  money,
  Sheet,
  StatusStamp,
  WithAside,
  userName,
} from '@karaar/ui';
import { DetailSkeleton } from '@karaar/ui/skeletons';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { AdminPage } from '../../shared/AdminPage.tsx';
import css from '../../shared/shared.module.css';
import { useHasRole } from '../../shared/useAdmin.ts';
import own from './documents.module.css';
import { CourtPack } from './CourtPack.tsx';
import { DocumentPayments } from './DocumentPayments.tsx';
import { LogPlace } from './LogPlace.tsx';
import { paidText } from './paid.ts';
import { Parties } from './Parties.tsx';
import { adminDocumentQuery } from './queries.ts';
import { documentsTexts } from './texts.ts';
import { Trail } from './Trail.tsx';

/** One document: parties, state, files and history. The contents of the files are private to the parties. */
export default function DocumentDetail() {
  const t = useTexts(documentsTexts);
  const { id = '' } = useParams();
  const document = useQuery(adminDocumentQuery(id));
  const isSuperAdmin = useHasRole(SUPER_ADMINS);
  if (document.isPending) return <DetailSkeleton label={t('title')} />;
  if (document.isError) {
    if (document.error instanceof ApiError && document.error.status === 404)
      return (
        <EmptyState
          icon="document"
          title={t('notFound')}
          text={t('notFoundText')}
          action={
            <Button as={Link} to="/admin/documents" variant="primary">
              {t('back')}
            </Button>
          }
        />
      );
    return (
      <ErrorState
        title={toastText(document.error, t('oneFailed'))}
        onRetry={() => void document.refetch()}
        retrying={document.isFetching}
      />
    );
  }
  const shown = document.data;
  return (
    <AdminPage
      title={shown.name}
      mark={<StatusStamp status={shown.status} cancelled={shown.cancelled !== undefined} />}
      lead={
        <Link to="/admin/documents" className={css.note}>
          {t('back')}
        </Link>
      }
    >
      <WithAside
        first={<Details document={shown} />}
        aside={
          <>
            <LogPlace document={shown} />
            {isSuperAdmin && shown.log && <CourtPack document={shown} />}
          </>
        }
      >
        <Parties document={shown} />
        <Files document={shown} />
        {isSuperAdmin && <DocumentPayments documentId={shown.document_id} />}
        <Trail events={shown.events} />
      </WithAside>
    </AdminPage>
  );
}

function Details({ document }: { document: AdminDocumentDetail }) {
  const t = useTexts(documentsTexts);
  return (
    <Sheet title={t('details')}>
      <Facts
        entries={[
          [t('code'), <CodeText key="code" code={document.document_code} label={t('code')} />],
          [t('creator'), userName(document.primary_user_name)],
          [t('created'), formatDateTime(document.created_at)],
          [t('finalizedAt'), formatDateTime(document.finalized_at)],
          [t('location'), document.location],
          [t('start'), formatDate(document.start_date)],
          [t('end'), formatDate(document.end_date)],
          [t('total'), `${money(document.total_amount)} · ${t('days', { days: document.duration_days })}`],
          [t('paid'), t(paidText(document))],
          [t('description'), document.description],
        ]}
      />
    </Sheet>
  );
}

function Files({ document }: { document: AdminDocumentDetail }) {
  const t = useTexts(documentsTexts);
  return (
    <Sheet title={t('files')} note={t('filesNote')}>
      <ul className={own.files}>
        {document.raw_files.map((file) => (
          <li key={file.file_id} className={own.file}>
            <span className={own.fileName}>{file.name}</span>
            <span className={css.note}>
              {`${fileSize(file.size)} · ${t('pages', { count: file.pages })}`}
            </span>
            <span className={css.mono} title={file.sha256}>
              {`${file.sha256.slice(0, 16)}…`}
            </span>
          </li>
        ))}
        {document.final_files.map(({ name, sealed }, index) => (
          <li key={index} className={own.file}>
            <span className={own.fileName}>{name}</span>
            <span className={css.note}>{t(sealed ? 'sealed' : 'attached')}</span>
          </li>
        ))}
      </ul>
      {document.raw_files.length === 0 && <p className="k-muted">{t('noFiles')}</p>}
    </Sheet>
  );
}
