import { answerText, ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Modal, Stack, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { documentKeys } from '../../shared/queries.ts';
import { ReadFirst } from '../reading/ReadFirst.tsx';
import { changeOf, type Change, type Shown } from '../reading/changes.ts';
import {
  imagesOf,
  originsOf,
  type CompleteVerification,
  type Verification,
} from '../verification/verification.ts';
import { VerificationDialog } from '../verification/VerificationDialog.tsx';
import { AgreementRequest } from './AgreementRequest.tsx';
import css from './dashboard.module.css';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';

/** An agreement that is being accepted: read first, then the images. */
type Accepting = {
  agreement: Document;
  step: 'read' | 'verify';
  shown?: Shown;
  /** The change since the user read it. */
  changed: Change | null;
  /** The images from before, if it must be read again. */
  given: Verification;
};

/** The open invitations. Accepting begins with reading; rejecting is immediate. */
export default function PendingAgreements({
  agreements,
  onClose,
}: {
  agreements: readonly Document[];
  onClose: () => void;
}) {
  const t = useTexts(dashboardTexts);
  const [accepting, setAccepting] = useState<Accepting | null>(null);
  const [progress, setProgress] = useState<number>();
  const { reject, accept } = useAnswers({
    onProgress: setProgress,
    onAnswered: () => setAccepting(null),
    onChanged: setAccepting,
  });

  if (accepting?.step === 'read') {
    return (
      <ReadFirst
        id={accepting.agreement.document_id}
        name={accepting.agreement.name}
        changed={accepting.changed}
        onBack={() => setAccepting(null)}
        onRead={(shown) => setAccepting({ ...accepting, step: 'verify', shown })}
      />
    );
  }
  if (accepting) {
    return (
      <VerificationDialog
        purpose="accept"
        about={{ document_id: accepting.agreement.document_id }}
        initial={accepting.given}
        sending={accept.isPending}
        progress={progress}
        onCancel={() => setAccepting(null)}
        onComplete={(files) => accept.mutate({ of: accepting, files })}
      />
    );
  }
  return (
    <Modal title={t('modalTitle')} opened onClose={onClose} width={600}>
      <Stack>
        <p className="k-muted">{agreements.length > 0 ? t('modalLead') : t('nonePending')}</p>
        <ul className={css.requests}>
          {agreements.map((agreement) => (
            <AgreementRequest
              key={agreement.document_id}
              agreement={agreement}
              rejecting={reject.isPending && reject.variables.id === agreement.document_id}
              onReject={(reason) => reject.mutate({ id: agreement.document_id, reason })}
              onAccept={() => setAccepting({ agreement, step: 'read', changed: null, given: {} })}
            />
          ))}
        </ul>
      </Stack>
    </Modal>
  );
}

type AnswersParts = {
  onProgress: (share: number) => void;
  onAnswered: () => void;
  /** Called if the agreement changed since it was read: it must be read again. */
  onChanged: (accepting: Accepting) => void;
};

function useAnswers({ onProgress, onAnswered, onChanged }: AnswersParts) {
  const t = useTexts(dashboardTexts);
  const queries = useQueryClient();
  // Idempotency keys: a repeated answer has one effect, however often it is sent.
  const keys = useRef(new Map<string, string>());
  const keyOf = (answer: string) => {
    const key = keys.current.get(answer) ?? crypto.randomUUID();
    keys.current.set(answer, key);
    return key;
  };
  const answered = async (message: string, own: string) => {
    toast.success(answerText(message, own));
    onAnswered();
    await queries.invalidateQueries({ queryKey: documentKeys.all });
  };

  /** An unreadable response is not a failed request (spec §8). */
  const failed = (error: unknown, own: string) =>
    toast.error(error instanceof ApiError ? toastText(error, own) : t('processFailed'));

  const reject = useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      call(
        documentsRoutes.respondAgreement,
        { params: { id }, fields: { response: 'reject', ...(reason ? { reason } : {}) }, files: {} },
        { idempotencyKey: keyOf(`reject ${id}`) },
      ),
    onSuccess: ({ message }) => answered(message, t('rejected')),
    onError: (error) => failed(error, t('rejectFailed')),
  });
  const accept = useMutation({
    mutationFn: ({ of, files }: { of: Accepting; files: CompleteVerification }) => {
      const id = of.agreement.document_id;
      const { thumb } = files;
      return call(
        documentsRoutes.respondAgreement,
        {
          params: { id },
          fields: { response: 'accept', ...originsOf(files), ...of.shown },
          files: { ...imagesOf(files), ...(thumb ? { thumb } : {}) },
        },
        { onProgress, idempotencyKey: keyOf(`accept ${id}`) },
      );
    },
    onSuccess: ({ message }) => answered(message, t('accepted')),
    onError: async (error, { of, files }) => {
      // After a response the next press is a new attempt; without one it repeats this attempt.
      if (error instanceof ApiError && error.status !== 0) keys.current.clear();
      const changed = changeOf(error);
      if (!changed) return failed(error, t('acceptFailed'));
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      // No screen shows it while the dialog is open, so it is refetched explicitly.
      await queries.refetchQueries({ queryKey: documentKeys.one(of.agreement.document_id), type: 'all' });
      onChanged({ ...of, step: 'read', changed, given: files });
    },
  });
  return { reject, accept };
}
