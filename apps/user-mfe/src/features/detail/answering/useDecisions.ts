import { answerText, call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import type { SignedAnswer } from '@karaar/contracts/documents/signing-keys';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { documentKeys } from '../../../shared/queries.ts';
import { useUser } from '../../../shared/useShell.ts';
import { changeOf } from '../../reading/changes.ts';
import type { Read } from '../../reading/useRead.ts';
import { imagesOf, originsOf, type CompleteVerification } from '../../verification/verification.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

export type Decisions = ReturnType<typeof useDecisions>;

/** A verification: it approves, or it replaces an earlier one and the user approves afterwards. */
export type Verifying = { files: CompleteVerification; approve: boolean };

/**
 * The user's decisions on a document: approve, verify and approve, reject, withdraw, cancel. An approval names the
 * displayed content and parties; if they have changed, the document is fetched again and must be read again.
 */
export function useDecisions({ document_id: id, primary_user }: Document, read: Read) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number>();
  const refresh = () => queries.invalidateQueries({ queryKey: documentKeys.all });
  const failed = (own: string) => async (error: unknown) => {
    const change = changeOf(error);
    if (!change) return toast.error(toastText(error, own));
    await refresh();
    read.reportChange(change);
  };

  const approve = useMutation({
    mutationFn: (signed?: SignedAnswer) =>
      call(documentsRoutes.approve, {
        params: { id, userId: user_id },
        body: { ...read.shown, ...(signed ? { signed } : {}) },
      }),
    onSuccess: async () => {
      toast.success(t(primary_user === user_id ? 'approveDone' : 'agreementApproved'));
      await refresh();
    },
    onError: failed(t('approveFailed')),
  });
  const verify = useMutation({
    mutationFn: ({ files, approve: approving }: Verifying) =>
      call(
        documentsRoutes.selfVerifyApprove,
        {
          params: { id },
          fields: { ...originsOf(files), ...(approving ? read.shown : { approve: false }) },
          files: imagesOf(files),
        },
        { onProgress: setProgress },
      ),
    onSuccess: async ({ message }, { approve: approving }) => {
      toast.success(answerText(message, t(approving ? 'verifyDone' : 'verifiedAgain')));
      await refresh();
    },
    onError: failed(t('verifyFailed')),
  });
  const reject = useMutation({
    mutationFn: (reason: string) =>
      call(documentsRoutes.respondAgreement, {
        params: { id },
        fields: { response: 'reject', ...(reason ? { reason } : {}) },
        files: {},
      }),
    onSuccess: async ({ message }) => {
      toast.success(answerText(message, t('rejectDone')));
      await refresh();
    },
  });
  const withdraw = useMutation({
    mutationFn: (reason: string) =>
      call(documentsRoutes.withdraw, { params: { id }, body: reason ? { reason } : {} }),
    onSuccess: async ({ message }) => {
      toast.success(answerText(message, t('withdrawDone')));
      await navigate('/dashboard');
      await refresh();
    },
  });
  const cancel = useMutation({
    mutationFn: (reason: string) => call(documentsRoutes.cancel, { params: { id }, body: { reason } }),
    onSuccess: async ({ message }) => {
      toast.success(answerText(message, t('cancelDone')));
      await refresh();
    },
  });
  return { approve, verify, reject, withdraw, cancel, progress };
}
