import type { Document, FinalFile } from '@karaar/contracts/documents/http';
import { screen, useTexts } from '@karaar/i18n';
import {
  CodeText,
  Facts,
  formatDate,
  formatDateTime,
  Icon,
  LoadBoundary,
  Notice,
  Page,
  Row,
  Sheet,
  StatusStamp,
  toast,
  userName,
  WithAside,
} from '@karaar/ui';
import { Suspense, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useUser } from '../../shared/useShell.ts';
import { BlockchainBadge } from '../verify/BlockchainBadge.tsx';
import { ActionsCard } from './ActionsCard.tsx';
import css from './detail.module.css';
import { FinalizeCard } from './FinalizeCard.tsx';
import { FinalPdf } from './FinalPdf.tsx';
import { History } from './History.tsx';
import { InvolvedUsers } from './InvolvedUsers.tsx';
import { PaymentCard } from './PaymentCard.tsx';
import { RawDocuments } from './RawDocuments.tsx';
import { actionsFor, waitingFor } from './roles.ts';
import { detailTexts } from './texts.ts';

const ManageDialog = screen(() => import('./ManageDialog.tsx'), []);

/** The whole document, for its parties. */
export function DocumentView({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const actions = actionsFor(document, user_id);
  const waiting = waitingFor(document, user_id);
  useFinalizedToast(document.status);
  // The open dialog stands in the address: back closes it, a reload keeps it.
  const [search, setSearch] = useSearchParams();
  const manage = (open: boolean) =>
    setSearch(
      (now) => {
        if (open) now.set('manage', '');
        else now.delete('manage');
        return now;
      },
      { replace: !open, preventScrollReset: true },
    );
  // It stands on top while there is something to do or to see about it.
  const toFinalize = actions.finalize === 'ready' || actions.finalize === 'running';
  const finalizing = <FinalizeCard document={document} actions={actions} />;

  return (
    <Page
      title={document.name}
      mark={<StatusStamp status={document.status} large />}
      lead={
        <Row gap={1.5}>
          <CodeText code={document.document_code} label={t('code')} />
          {document.blockchain && <BlockchainBadge document={document} />}
        </Row>
      }
    >
      {waiting && <Notice tone={waiting.tone}>{t(waiting.message)}</Notice>}
      <WithAside
        first={<ActionsCard document={document} actions={actions} onManage={() => manage(true)} />}
        aside={
          <>
            <InvolvedUsers document={document} userId={user_id} />
            <PaymentCard document={document} actions={actions} />
            <History document={document} />
          </>
        }
      >
        {toFinalize && finalizing}
        {document.status === 'finalized' && <FinalPdf document={document} />}
        <Details document={document} />
        <RawDocuments files={document.raw_files} />
        {!toFinalize && finalizing}
        <FinalDocuments files={document.final_files} />
      </WithAside>
      <LoadBoundary>
        <Suspense>
          {search.has('manage') && (
            <ManageDialog document={document} actions={actions} onClose={() => manage(false)} />
          )}
        </Suspense>
      </LoadBoundary>
    </Page>
  );
}

function Details({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  return (
    <Sheet title={t('details')}>
      <Facts
        entries={[
          [t('location'), document.location],
          [t('startDate'), formatDate(document.start_date)],
          [t('endDate'), formatDate(document.end_date)],
          [t('days'), t('dayCount', { days: document.duration_days })],
          [t('created'), formatDateTime(document.created_at)],
          [t('creator'), userName(document.primary_user_name)],
        ]}
      />
      {document.description && (
        <div className={css.block}>
          <h3>{t('description')}</h3>
          <p className={css.description} dir="auto">
            {document.description}
          </p>
        </div>
      )}
      {document.page_details.length > 0 && (
        <div className={css.block}>
          <h3>{t('pageDetails')}</h3>
          <ol className={css.pages}>
            {document.page_details.map((page, index) => (
              <li key={index}>
                <span className={css.pageNo}>{t('page', { number: page.page_no })}</span>
                <span>{page.description}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Sheet>
  );
}

/** The sealed PDF, and what the creator added beside it; a reader must not take the second for the first. */
function FinalDocuments({ files }: { files: readonly FinalFile[] }) {
  const t = useTexts(detailTexts);
  return (
    <Sheet title={t('finalDocuments')}>
      {files.length === 0 ? (
        <p className="k-muted">{t('noFinalDocuments')}</p>
      ) : (
        <ul className={css.files}>
          {files.map(({ name, path, sealed }) => (
            <li key={path} className={css.file}>
              <Icon name={sealed ? 'shield' : 'document'} size={22} />
              <a className={css.fileName} href={path} target="_blank" rel="noopener">
                {name}
              </a>
              <span className="k-muted">{t(sealed ? 'sealedFile' : 'attachedFile')}</span>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

/** Says so when the document becomes finalized while it is looked at. */
function useFinalizedToast(status: Document['status']): void {
  const t = useTexts(detailTexts);
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== 'finalized' && status === 'finalized') toast.success(t('finalizeFinished'));
    before.current = status;
  }, [status]);
}
