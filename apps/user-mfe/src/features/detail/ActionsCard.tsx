import { answerText, call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Columns, Sheet, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { documentKeys } from '../../shared/queries.ts';
import { useUser } from '../../shared/useShell.ts';
import type { CompleteVerification } from '../verification/verification.ts';
import { VerificationDialog } from '../verification/VerificationDialog.tsx';
import css from './detail.module.css';
import type { Actions } from './roles.ts';
import { detailTexts } from './texts.ts';

type ActionsCardProps = { document: Document; actions: Actions; onManage: () => void };

/** What this user can do with the document. */
export function ActionsCard({ document, actions, onManage }: ActionsCardProps) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const { verify, approve, progress } = useDecisions(document.document_id);
  const [verifying, setVerifying] = useState(false);
  const partner = document.involved_users.find((each) => each !== user_id);
  const approveDocument = () => {
    if (document.upload_raw_docs.length === 0) return toast.error(t('uploadFirst'));
    approve.mutate(user_id);
  };
  return (
    <Sheet title={t('actions')}>
      <Columns min={220} gap={1.25}>
        {actions.approve && (
          <Button variant="primary" wide icon="check" onClick={approveDocument} loading={approve.isPending}>
            {t('approve')}
          </Button>
        )}
        {actions.verify && (
          <Button
            variant={actions.approve ? 'secondary' : 'primary'}
            wide
            icon="camera"
            onClick={() => setVerifying(true)}
          >
            {t('verifyApprove')}
          </Button>
        )}
        {actions.makePayment && (
          <Button as={Link} to="/wallet" wide icon="coins">
            {t('makePayment')}
          </Button>
        )}
        <Button wide icon="people" onClick={onManage}>
          {actions.manage ? t('manageUsers') : t('viewUsers')}
        </Button>
        {actions.manage && (
          <Button wide icon="coins" onClick={onManage}>
            {t('managePayments')}
          </Button>
        )}
        {partner && (
          <Button as={Link} to={`/chat/${partner}`} wide icon="chat">
            {t('chatUsers')}
          </Button>
        )}
      </Columns>
      <p className={css.after}>
        <Link className="k-small" to={`/join-document?code=${document.document_code}`}>
          {t('shareJoin')}
        </Link>
      </p>
      {verifying && (
        <VerificationDialog
          purpose="self-verify"
          about={{ document_id: document.document_id }}
          sending={verify.isPending}
          progress={progress}
          onCancel={() => setVerifying(false)}
          onComplete={(files) => verify.mutate(files, { onSuccess: () => setVerifying(false) })}
        />
      )}
    </Sheet>
  );
}

/** A user's own decisions on a document: verify and approve oneself, approve the document. */
function useDecisions(id: string) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number>();
  const refresh = () => queries.invalidateQueries({ queryKey: documentKeys.all });
  const verify = useMutation({
    mutationFn: ({ profile_pic, sign, eye }: CompleteVerification) =>
      call(
        documentsRoutes.selfVerifyApprove,
        { params: { id }, fields: {}, files: { profile_pic, sign, eye } },
        { onProgress: setProgress },
      ),
    onSuccess: async ({ message }) => {
      toast.success(answerText(message, t('verifyDone')));
      await refresh();
    },
    onError: (error) => toast.error(toastText(error, t('verifyFailed'))),
  });
  const approve = useMutation({
    mutationFn: (userId: string) => call(documentsRoutes.approve, { params: { id, userId } }),
    onSuccess: async () => {
      toast.success(t('approveDone'));
      await refresh();
    },
    onError: (error) => toast.error(toastText(error, t('approveFailed'))),
  });
  return { verify, approve, progress };
}
