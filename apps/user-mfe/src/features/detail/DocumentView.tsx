import type { Document, FinalFile } from '@karaar/contracts/documents/http';
import { screen, useTexts } from '@karaar/i18n';
import {
  CodeText,
  Icon,
  LoadBoundary,
  Notice,
  Page,
  Row,
  Sheet,
  Skeleton,
  StatusStamp,
  toast,
  useConfirm,
  WithAside,
} from '@karaar/ui';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useUser } from '../../shared/useShell.ts';
import { Terms } from '../reading/Terms.tsx';
import { useRead } from '../reading/useRead.ts';
import type { Verification } from '../verification/verification.ts';
import { BlockchainBadge } from '../verify/BlockchainBadge.tsx';
import { ActionsCard } from './ActionsCard.tsx';
import type { Answer } from './Answering.tsx';
import css from './detail.module.css';
import { FinalizeCard } from './FinalizeCard.tsx';
import { FinalPdf } from './FinalPdf.tsx';
import { History } from './History.tsx';
import { InvolvedUsers } from './InvolvedUsers.tsx';
import { PaymentCard } from './PaymentCard.tsx';
import { RawDocuments } from './RawDocuments.tsx';
import { actionsFor, turnOf, waitingFor } from './roles.ts';
import { detailTexts } from './texts.ts';
import { useDecisions } from './useDecisions.ts';

// One file for both: each further one is named in the entry, which every page loads.
const ManageDialog = screen(() => import(/* webpackChunkName: "dialogs" */ './ManageDialog.tsx'), []);
const Answering = screen(() => import(/* webpackChunkName: "dialogs" */ './Answering.tsx'), []);
const ReadingDesk = screen(() => import('./ReadingDesk.tsx'), []);

/** The whole document, for its parties. */
export function DocumentView({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const actions = actionsFor(document, user_id);
  const waiting = waitingFor(document, user_id);
  const turn = turnOf(document, user_id);
  const read = useRead(document);
  const decisions = useDecisions(document, read);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [given, setGiven] = useState<Verification>({});
  const { ask, dialog } = useConfirm();
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
  const verifyAgain = async () => {
    const agreed = await ask({
      title: t('verifyAgainTitle'),
      text: t('verifyAgainMeans'),
      confirm: t('continue'),
    });
    if (agreed) setAnswer('verify-only');
  };
  const finalizing = <FinalizeCard document={document} actions={actions} />;

  return (
    <Page
      title={document.name}
      mark={<StatusStamp status={document.status} large />}
      lead={
        <Row gap={1.5}>
          <CodeText code={document.document_code} label={t('code')} />
          {document.blockchain && (
            <LoadBoundary>
              <Suspense>
                <BlockchainBadge document={document} />
              </Suspense>
            </LoadBoundary>
          )}
        </Row>
      }
    >
      {waiting && <Notice tone={waiting.tone}>{t(waiting.message)}</Notice>}
      {turn && (
        <LoadBoundary>
          <Suspense fallback={<Skeleton height={480} />}>
            <ReadingDesk
              document={document}
              turn={turn}
              actions={actions}
              read={read}
              decisions={decisions}
              onVerify={() => setAnswer('verify')}
              onReject={() => setAnswer('reject')}
            />
          </Suspense>
        </LoadBoundary>
      )}
      <WithAside
        first={
          <ActionsCard
            document={document}
            actions={actions}
            answered={turn !== null}
            decisions={decisions}
            onVerify={() => setAnswer('verify')}
            onVerifyAgain={() => void verifyAgain()}
            onWithdraw={() => setAnswer('withdraw')}
            onManage={() => manage(true)}
          />
        }
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
      {dialog}
      <LoadBoundary>
        <Suspense>
          {answer && (
            <Answering
              document={document}
              answer={answer}
              decisions={decisions}
              given={given}
              onGiven={setGiven}
              onClose={() => setAnswer(null)}
            />
          )}
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
      <Terms document={document} />
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
  }, [status, t]);
}
