import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Sheet, toast, userName } from '@karaar/ui';
import { Changed } from '../reading/Changed.tsx';
import { Reading } from '../reading/Reading.tsx';
import type { Read } from '../reading/useRead.ts';
import css from './detail.module.css';
import type { Actions, Turn } from './roles.ts';
import { detailTexts } from './texts.ts';
import type { Decisions } from './useDecisions.ts';

type ReadingDeskProps = {
  document: Document;
  turn: Turn;
  actions: Actions;
  read: Read;
  decisions: Decisions;
  onVerify: () => void;
  onReject: () => void;
};

/** For the party whose turn it is: the pages to read, and the answer beside them. */
export default function ReadingDesk({
  document,
  turn,
  actions,
  read,
  decisions,
  onVerify,
  onReject,
}: ReadingDeskProps) {
  const t = useTexts(detailTexts);
  const creator = userName(document.primary_user_name);
  const approve = () => {
    if (document.upload_raw_docs.length === 0) return toast.error(t('uploadFirst'));
    decisions.approve.mutate();
  };
  return (
    <Sheet
      title={t(turn === 'invited' ? 'deskAnswer' : 'deskApprove')}
      note={t(notes[turn], { name: creator })}
    >
      <div className={css.desk}>
        <Reading key={read.content_hash} document={document} />
        <div className={css.decide}>
          {read.changed && <Changed read={read} />}
          <p>{t(meanings[turn])}</p>
          {turn === 'invited' ? (
            <Button variant="primary" wide icon="camera" onClick={onVerify} disabled={read.changed}>
              {t('verifyApprove')}
            </Button>
          ) : (
            <>
              <Button
                variant="primary"
                wide
                icon="check"
                onClick={approve}
                loading={decisions.approve.isPending}
                disabled={read.changed}
              >
                {t(turn === 'primary' ? 'approve' : 'approveAgreement')}
              </Button>
              <Button wide icon="camera" onClick={onVerify} disabled={read.changed}>
                {t('verifyApprove')}
              </Button>
            </>
          )}
          {actions.reject && (
            <Button variant="reject" wide onClick={onReject}>
              {t('rejectAgreement')}
            </Button>
          )}
        </div>
      </div>
    </Sheet>
  );
}

const notes = { invited: 'deskInvited', admitted: 'deskAdmitted', primary: 'deskCreator' } as const;
const meanings = { invited: 'meansVerify', admitted: 'meansApprove', primary: 'meansApprove' } as const;
