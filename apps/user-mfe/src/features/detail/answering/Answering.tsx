import { toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { changeOf } from '../../reading/changes.ts';
import type { Verification } from '../../verification/verification.ts';
import { VerificationDialog } from '../../verification/VerificationDialog.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import type { Decisions } from './useDecisions.ts';

/** The answer of a party; `verify-only` replaces earlier images and approves nothing. */
export type Answer = 'verify' | 'verify-only' | 'reject' | 'withdraw';

type AnsweringProps = {
  document: Document;
  answer: Answer;
  decisions: Decisions;
  /** Images of a verification that was refused because something must be read again. */
  given: Verification;
  onGiven: (given: Verification) => void;
  onClose: () => void;
};

/** The dialog for an answer. It closes when the answer is given, or when something must be read first. */
export default function Answering({ document, answer, decisions, given, onGiven, onClose }: AnsweringProps) {
  const t = useTexts(detailTexts);
  const { verify, reject, withdraw, progress } = decisions;
  if (answer === 'reject' || answer === 'withdraw') {
    const act = answer === 'reject' ? reject : withdraw;
    const own = t(answer === 'reject' ? 'rejectFailed' : 'withdrawFailed');
    return (
      <ReasonDialog
        title={t(answer === 'reject' ? 'rejectTitle' : 'withdrawTitle')}
        text={t(answer === 'reject' ? 'rejectMeans' : 'withdrawMeans')}
        confirm={t(answer === 'reject' ? 'rejectConfirm' : 'withdrawConfirm')}
        fault={act.isError ? toastText(act.error, own) : null}
        sending={act.isPending}
        onCancel={() => {
          act.reset();
          onClose();
        }}
        onConfirm={(reason) => act.mutate(reason, { onSuccess: onClose })}
      />
    );
  }
  return (
    <VerificationDialog
      purpose="self-verify"
      about={{ document_id: document.document_id }}
      initial={given}
      sending={verify.isPending}
      progress={progress}
      onCancel={onClose}
      onComplete={(files) =>
        verify.mutate(
          { files, approve: answer === 'verify' },
          {
            onSuccess: () => {
              onGiven({});
              onClose();
            },
            onError: (error) => {
              if (!changeOf(error)) return;
              onGiven(files);
              onClose();
            },
          },
        )
      }
    />
  );
}
