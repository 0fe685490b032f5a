import { ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createElement, useRef, useState } from 'react';
import { toast } from '@karaar/ui';
import { useNavigate } from 'react-router';
import { documentKeys } from '../../shared/queries.ts';
import type { CompleteVerification } from '../verification/verification.ts';
import { CreatedToast, CODE_TOAST_MS } from './CreatedToast.tsx';
import type { CreateForm } from './form.ts';
import { createTexts } from './texts.ts';

export type Creation = { form: CreateForm; files: File[]; verification: CompleteVerification };

/**
 * Creates the document and invites the other party (spec §7). A failed invitation does not undo the creation: the
 * party can be added later, and the user is told so.
 */
export function useCreate(): {
  create: (creation: Creation) => void;
  sending: boolean;
  progress: number | undefined;
} {
  const t = useTexts(createTexts);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number>();
  // One key per attempt of the user: a repeat after a lost answer makes no second document.
  const key = useRef(crypto.randomUUID());

  const inviteFault = (error: unknown) => {
    const reason = toastText(error, '');
    return reason ? t('inviteFailedWhy', { reason }) : t('inviteFailed');
  };
  const mutation = useMutation({
    mutationFn: async ({ form, files, verification }: Creation) => {
      const { target_user_char_id, page_details, ...fields } = form;
      const { profile_pic, sign, eye } = verification;
      const created = await call(
        documentsRoutes.create,
        {
          fields: { ...fields, page_details: JSON.stringify(page_details) },
          files: { raw_documents: files, profile_pic, sign, eye },
        },
        { onProgress: setProgress, idempotencyKey: key.current },
      );
      await call(documentsRoutes.initiateAgreement, {
        body: { document_id: created.document_id, target_user_char_id },
      }).catch((error: unknown) => toast.error(inviteFault(error)));
      return created;
    },
    onSuccess: async (created) => {
      toast.info(createElement(CreatedToast, { code: created.document_code }), CODE_TOAST_MS);
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      void navigate(`/document/${created.document_id}`);
    },
    onError: (error) => {
      // After an answer the next press is another attempt; without one it repeats this attempt.
      if (error instanceof ApiError && error.status !== 0) key.current = crypto.randomUUID();
      toast.error(toastText(error, t('createFailed')));
    },
  });
  return { create: mutation.mutate, sending: mutation.isPending, progress };
}
