import type { Document } from '@karaar/contracts/documents/http';
import { screen, useTexts } from '@karaar/i18n';
import { CodeText, LoadBoundary, Page, Row, Skeleton, StatusStamp } from '@karaar/ui';
import { Suspense, useState, type ReactNode } from 'react';
import type { Verification } from '../verification/verification.ts';
import { BlockchainBadge } from '../verify/BlockchainBadge.tsx';
import { ActionsCard } from './ActionsCard.tsx';
import css from './detail.module.css';
import { hasFinalizeCard } from './sealing/has-finalize-card.ts';
import { NextBar } from './next/NextBar.tsx';
import { NextNote } from './next/NextNote.tsx';
import { PaymentCard } from './payment/PaymentCard.tsx';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import { useDocumentPage, type DocumentPage } from './useDocumentPage.ts';
import { useJustFinalized } from './sealing/useJustFinalized.ts';

// One chunk for both: each further one adds to the entry, which every page loads.
const ManageDialog = screen(() => import(/* webpackChunkName: "dialogs" */ './ManageDialog.tsx'), []);
const Answering = screen(() => import(/* webpackChunkName: "dialogs" */ './answering/Answering.tsx'), []);
const PhotoWarnings = screen(
  () => import(/* webpackChunkName: "dialogs" */ './people/PhotoWarnings.tsx'),
  [],
);
const HandedOn = screen(() => import(/* webpackChunkName: "dialogs" */ './people/HandedOn.tsx'), []);
const Rejected = screen(() => import(/* webpackChunkName: "dialogs" */ './rejected/Rejected.tsx'), []);
const Pages = screen(() => import('./reading/Pages.tsx'), []);
// For sealed documents only; also one chunk.
const FinalPdf = screen(() => import(/* webpackChunkName: "sealed" */ './sealing/FinalPdf.tsx'), []);
const KeepButtons = screen(() => import(/* webpackChunkName: "sealed" */ './sealing/KeepButtons.tsx'), []);
// For users with a passkey for signing; one chunk with the profile's passkeys.
const SignDialog = screen(() => import(/* webpackChunkName: "signing" */ '../signing/SignDialog.tsx'), []);
// Below the first view; also one chunk.
const FinalizeCard = screen(() => import(/* webpackChunkName: "below" */ './sealing/FinalizeCard.tsx'), []);
const AnswerByNote = screen(
  () => import(/* webpackChunkName: "below" */ '../answer-by/AnswerByNote.tsx'),
  [],
);
const InvolvedUsers = screen(() => import(/* webpackChunkName: "below" */ './people/InvolvedUsers.tsx'), []);
const RemindAll = screen(() => import(/* webpackChunkName: "below" */ './people/RemindAll.tsx'), []);
const Details = screen(() => import(/* webpackChunkName: "below" */ './dates/Details.tsx'), []);
const RawDocuments = screen(() => import(/* webpackChunkName: "below" */ './reading/RawDocuments.tsx'), []);
const FinalDocuments = screen(
  () => import(/* webpackChunkName: "below" */ './sealing/FinalDocuments.tsx'),
  [],
);
const DocumentLabels = screen(
  () => import(/* webpackChunkName: "below" */ '../labels/DocumentLabels.tsx'),
  [],
);
const History = screen(() => import(/* webpackChunkName: "below" */ './history/History.tsx'), []);

/** The whole document, for its parties: its pages first, then its details. */
export function DocumentView({ document }: { document: Document }) {
  const page = useDocumentPage(document);
  return (
    <Page
      title={document.name}
      mark={<StatusStamp status={document.status} cancelled={document.cancelled !== undefined} large />}
      lead={<Lead document={document} />}
    >
      <div className={css.layout}>
        <Main document={document} page={page} />
        <Aside document={document} page={page} />
      </div>
      {page.dialog}
      {page.paying.dialog}
      <Dialogs document={document} page={page} />
    </Page>
  );
}

type PartProps = { document: Document; page: DocumentPage };

/** Notices above the pages. */
function Notices({ document, page: { actions, manage, userId } }: PartProps) {
  return (
    <>
      {document.status === 'rejected' && (
        <Later height={96}>
          <Rejected document={document} />
        </Later>
      )}
      {actions.manage && document.open_invitations?.some(({ handed_on }) => handed_on) && (
        <Later height={96}>
          <HandedOn document={document} onManage={() => manage.show('users')} />
        </Later>
      )}
      {document.status !== 'finalized' && document.parties.some(({ photo_hints }) => photo_hints?.length) && (
        <Later height={96}>
          <PhotoWarnings document={document} userId={userId} />
        </Later>
      )}
    </>
  );
}

function Main({ document, page }: PartProps) {
  const { actions, turn, read, decisions, finalizing, paying, next, approve, signing, setAnswer } = page;
  const justSealed = useJustFinalized(document.status);
  const sealed = document.status === 'finalized';
  const answerBy = document.parties.find(({ user_id }) => user_id === page.userId)?.answer_by;
  return (
    <div className={css.main}>
      <Notices document={document} page={page} />
      <Later height={720}>
        {sealed ? (
          <FinalPdf
            document={document}
            impressed={justSealed}
            keeping={next.kind !== 'keep' && <KeepButtons document={document} />}
          />
        ) : (
          <Pages document={document} turn={turn} read={read} />
        )}
      </Later>
      <Later height={220}>
        <Details document={document} />
      </Later>
      <Later height={200}>
        <RawDocuments files={document.raw_files} inPages={!sealed} />
      </Later>
      {hasFinalizeCard(document, page.userId) && (
        <Later height={160}>
          <FinalizeCard
            document={document}
            actions={actions}
            finalizing={finalizing}
            progress={page.progress}
          />
        </Later>
      )}
      {sealed && (
        <Later height={120}>
          <FinalDocuments files={document.final_files} />
        </Later>
      )}
      <NextBar
        document={document}
        next={next}
        progress={page.progress}
        note={
          <>
            <NextNote document={document} next={next} />
            {answerBy && (
              <Later>
                <AnswerByNote day={answerBy} cancels={document.cancel_late} />
              </Later>
            )}
          </>
        }
        doing={{
          sign: () => setAnswer('verify'),
          approve,
          manage: () => page.manage.show('users'),
          seal: finalizing.ask,
          pay: paying.start,
          reject: () => setAnswer('reject'),
        }}
        busy={signing.asking || decisions.approve.isPending || paying.paying || finalizing.asking}
        stopped={read.changed !== null}
        mayReject={actions.reject}
        reminding={
          <Later>
            <RemindAll document={document} />
          </Later>
        }
        keeping={
          <Later>
            <KeepButtons document={document} primary />
          </Later>
        }
      />
    </div>
  );
}

function Aside({ document, page }: PartProps) {
  const { actions, turn, read, decisions, setAnswer } = page;
  return (
    <aside className={css.aside}>
      <ActionsCard
        document={document}
        actions={actions}
        owes={page.owes}
        turn={turn}
        stopped={read.changed !== null}
        decisions={decisions}
        onApprove={page.approve}
        onVerify={() => setAnswer('verify')}
        onVerifyAgain={page.verifyAgain}
        onWithdraw={() => setAnswer('withdraw')}
        onCancel={() => setAnswer('cancel')}
        onManage={page.manage.show}
      />
      <Later height={80 + 80 * (document.parties.length + (document.open_invitations ?? []).length)}>
        <InvolvedUsers document={document} userId={page.userId} />
      </Later>
      {!document.cancelled && <PaymentCard document={document} actions={actions} paying={page.paying} />}
      <Later height={180}>
        <DocumentLabels document={document} />
      </Later>
      <Later height={240}>
        <History document={document} />
      </Later>
    </aside>
  );
}

function Dialogs({ document, page }: PartProps) {
  const { actions, answer, setAnswer, decisions, manage, signing, read } = page;
  const [given, setGiven] = useState<Verification>({});
  return (
    <Later>
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
      {signing.keys && (
        <SignDialog
          documentId={document.document_id}
          keys={signing.keys}
          contentHash={read.shown.content_hash}
          onSigned={signing.approve}
          onPlain={() => signing.approve()}
          onClose={signing.close}
        />
      )}
      {manage.part && (
        <ManageDialog
          document={document}
          actions={actions}
          part={manage.part}
          onPart={manage.turnTo}
          onClose={manage.close}
        />
      )}
    </Later>
  );
}

/**
 * A part with its own chunk.
 * @param props.height of the placeholder
 */
function Later({ height, children }: { height?: number; children: ReactNode }) {
  return (
    <LoadBoundary>
      <Suspense fallback={height ? <Skeleton height={height} /> : null}>{children}</Suspense>
    </LoadBoundary>
  );
}

function Lead({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  return (
    <Row gap={1.5}>
      <CodeText code={document.document_code} label={t('code')} />
      {document.blockchain && (
        <Later>
          <BlockchainBadge document={document} />
        </Later>
      )}
    </Row>
  );
}
