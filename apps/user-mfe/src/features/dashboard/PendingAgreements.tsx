import { answerText, ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, formatDate, Modal, Row, Stack, toast, userName } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { documentKeys } from '../../shared/queries.ts';
import type { CompleteVerification } from '../verification/verification.ts';
import { VerificationDialog } from '../verification/VerificationDialog.tsx';
import css from './dashboard.module.css';
import { dashboardTexts } from './texts.ts';

/** The invitations that wait for an answer. Accepting asks for the verification first; rejecting is immediate. */
export default function PendingAgreements({
  agreements,
  onClose,
}: {
  agreements: readonly Document[];
  onClose: () => void;
}) {
  const t = useTexts(dashboardTexts);
  const queries = useQueryClient();
  const [accepting, setAccepting] = useState<Document | null>(null);
  const [progress, setProgress] = useState<number>();
  // A repeat of one answer has one effect, however often it is pressed or sent.
  const keys = useRef(new Map<string, string>());
  const keyOf = (answer: string) => {
    const key = keys.current.get(answer) ?? crypto.randomUUID();
    keys.current.set(answer, key);
    return key;
  };
  const answered = async (message: string, own: string) => {
    toast.success(answerText(message, own));
    setAccepting(null);
    await queries.invalidateQueries({ queryKey: documentKeys.all });
  };

  /** An answer that cannot be read is no failed call (spec §8). */
  const failed = (error: unknown, own: string) =>
    toast.error(error instanceof ApiError ? toastText(error, own) : t('processFailed'));

  const reject = useMutation({
    mutationFn: (id: string) =>
      call(
        documentsRoutes.respondAgreement,
        { params: { id }, fields: { response: 'reject' }, files: {} },
        { idempotencyKey: keyOf(`reject ${id}`) },
      ),
    onSuccess: ({ message }) => answered(message, t('rejected')),
    onError: (error) => failed(error, t('rejectFailed')),
  });
  const accept = useMutation({
    mutationFn: ({ id, files }: { id: string; files: CompleteVerification }) =>
      call(
        documentsRoutes.respondAgreement,
        { params: { id }, fields: { response: 'accept' }, files },
        { onProgress: setProgress, idempotencyKey: keyOf(`accept ${id}`) },
      ),
    onSuccess: ({ message }) => answered(message, t('accepted')),
    onError: (error) => {
      // After an answer the next press is another attempt; without one it repeats this attempt.
      if (error instanceof ApiError && error.status !== 0) keys.current.clear();
      failed(error, t('acceptFailed'));
    },
  });

  if (accepting) {
    return (
      <VerificationDialog
        purpose="accept"
        about={{ document_id: accepting.document_id }}
        sending={accept.isPending}
        progress={progress}
        onCancel={() => setAccepting(null)}
        onComplete={(files) => accept.mutate({ id: accepting.document_id, files })}
      />
    );
  }
  return (
    <Modal title={t('modalTitle')} opened onClose={onClose} width={600}>
      <Stack>
        <p className="k-muted">{agreements.length > 0 ? t('modalLead') : t('nonePending')}</p>
        <ul className={css.requests}>
          {agreements.map((agreement) => (
            <li key={agreement.document_id} className={css.request}>
              <div className={css.requestText}>
                <h3>{agreement.name}</h3>
                <p className="k-muted k-small">
                  {t('invitedBy', { name: userName(agreement.primary_user_name) })} ·{' '}
                  {formatDate(agreement.created_at)}
                </p>
                <Link className="k-small" to={`/document/${agreement.document_id}`}>
                  {t('read')}
                </Link>
              </div>
              <Row>
                <Button
                  compact
                  variant="reject"
                  onClick={() => reject.mutate(agreement.document_id)}
                  loading={reject.isPending && reject.variables === agreement.document_id}
                >
                  {t('reject')}
                </Button>
                <Button compact variant="primary" onClick={() => setAccepting(agreement)}>
                  {t('accept')}
                </Button>
              </Row>
            </li>
          ))}
        </ul>
      </Stack>
    </Modal>
  );
}
