import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { Button, Sheet, Stack, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { documentKeys } from '../../shared/queries.ts';
import { useUser } from '../../shared/useShell.ts';
import type { CompleteVerification } from '../verification/verification.ts';
import { VerificationDialog } from '../verification/VerificationDialog.tsx';
import type { Actions } from './roles.ts';
import { detailTexts as texts } from './texts.ts';

type ActionsCardProps = { document: Document; actions: Actions; onManage: () => void };

/** What this user can do with the document. */
export function ActionsCard({ document, actions, onManage }: ActionsCardProps) {
  const { user_id } = useUser();
  const { verify, approve, progress } = useDecisions(document.document_id);
  const [verifying, setVerifying] = useState(false);
  const partner = document.involved_users.find((each) => each !== user_id);
  const approveDocument = () => {
    if (document.upload_raw_docs.length === 0) return toast.error(texts.uploadFirst);
    approve.mutate(user_id);
  };
  return (
    <Sheet title={texts.actions}>
      <Stack gap={1.25}>
        {actions.approve && (
          <Button variant="primary" wide icon="check" onClick={approveDocument} loading={approve.isPending}>
            {texts.approve}
          </Button>
        )}
        {actions.verify && (
          <Button
            variant={actions.approve ? 'secondary' : 'primary'}
            wide
            icon="camera"
            onClick={() => setVerifying(true)}
          >
            {texts.verifyApprove}
          </Button>
        )}
        {actions.makePayment && (
          <Button as={Link} to="/wallet" wide icon="coins">
            {texts.makePayment}
          </Button>
        )}
        <Button wide icon="people" onClick={onManage}>
          {actions.manage ? texts.manageUsers : texts.viewUsers}
        </Button>
        {actions.manage && (
          <Button wide icon="coins" onClick={onManage}>
            {texts.managePayments}
          </Button>
        )}
        {partner && (
          <Button as={Link} to={`/chat/${partner}`} wide icon="chat">
            {texts.chatUsers}
          </Button>
        )}
        <Link className="k-small" to={`/join-document?code=${document.document_code}`}>
          {texts.shareJoin}
        </Link>
      </Stack>
      {verifying && (
        <VerificationDialog
          purpose="self-verify"
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
      toast.success(message);
      await refresh();
    },
    onError: (error) => toast.error(toastText(error, texts.verifyFailed)),
  });
  const approve = useMutation({
    mutationFn: (userId: string) => call(documentsRoutes.approve, { params: { id, userId } }),
    onSuccess: async () => {
      toast.success(texts.approveDone);
      await refresh();
    },
    onError: (error) => toast.error(toastText(error, texts.approveFailed)),
  });
  return { verify, approve, progress };
}
