import { toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { changeOf } from '../../reading/changes.ts';
import type { Verification } from '../../verification/verification.ts';
import { VerificationDialog } from '../../verification/VerificationDialog.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import type { Decisions } from './useDecisions.ts';

/**
 * The answer of a party; `verify-only` replaces earlier images and approves nothing, `cancel` is the creator's.
 */
export type Answer = 'verify' | 'verify-only' | Ending;

/** The acts with a reason. */
const ENDINGS = {
  reject: {
    title: 'rejectTitle',
    text: 'rejectMeans',
    confirm: 'rejectConfirm',
    keep: 'keep',
    failed: 'rejectFailed',
  },
  withdraw: {
    title: 'withdrawTitle',
    text: 'withdrawMeans',
    confirm: 'withdrawConfirm',
    keep: 'keep',
    failed: 'withdrawFailed',
  },
  cancel: {
    title: 'cancelTitle',
    text: 'cancelMeans',
    confirm: 'cancelDocument',
    keep: 'cancelKeep',
    failed: 'cancelFailed',
  },
} as const;
type Ending = keyof typeof ENDINGS;

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
  const { verify, progress } = decisions;
  if (answer !== 'verify' && answer !== 'verify-only') {
    const act = decisions[answer];
    const words = ENDINGS[answer];
    return (
      <ReasonDialog
        title={t(words.title)}
        text={t(words.text)}
        confirm={t(words.confirm)}
        keep={t(words.keep)}
        required={answer === 'cancel'}
        fault={act.isError ? toastText(act.error, t(words.failed)) : null}
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
