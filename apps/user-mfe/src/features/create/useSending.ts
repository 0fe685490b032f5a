import { ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import type { Language } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createElement, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { documentKeys } from '../../shared/queries.ts';
import { sendFault, type SendFault } from '../../shared/uploads/uploads.ts';
import type { CompleteVerification } from '../verification/verification.ts';
import { CreatedToast, CODE_TOAST_MS } from './CreatedToast.tsx';
import type { CreateForm } from './form.ts';
import { createTexts } from './texts.ts';

export type Sent = {
  form: CreateForm;
  /** Files that are not at the server yet. */
  files: File[];
  /** The draft that is edited, and which of its files stay. */
  draft: { id: string; keep: string[] } | undefined;
};
export type Creation = Sent & { verification: CompleteVerification; language: Language | '' };

/**
 * Sends the form: as a draft, or as a document whose other party is then invited (spec §7). A failed invitation does
 * not undo the creation: the party can be added later, and the user is told so.
 *
 * @param refused takes the user to where an error is mended; whether it did
 * @param onSent what was entered is at the server
 */
export function useSending(refused: (error: unknown) => boolean, onSent: () => void) {
  const t = useTexts(createTexts);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number>();
  const [fault, setFault] = useState<SendFault | null>(null);
  const stop = useRef(new AbortController());
  // One key per attempt of the user: a repeat after a lost answer makes no second document.
  const key = useRef(crypto.randomUUID());
  const options = () => ({ onProgress: setProgress, signal: stop.current.signal });

  const begin = () => {
    stop.current = new AbortController();
    setFault(null);
    setProgress(0);
  };
  const failed = (error: unknown, files: readonly File[], fallback: string) => {
    const text = toastText(error, fallback);
    // After an answer the next press is another attempt; without one it repeats this attempt.
    const answered = error instanceof ApiError && error.status !== 0;
    if (answered) key.current = crypto.randomUUID();
    if (refused(error)) return;
    const cancelled = stop.current.signal.aborted;
    setFault(sendFault(files, error, text, cancelled));
    if (!cancelled) toast.error(text);
  };

  const save = useMutation({
    onMutate: begin,
    mutationFn: async (sent: Sent) => {
      const { target_user_char_id } = sent.form;
      if (sent.draft) {
        await update(sent);
        return sent.draft.id;
      }
      const created = await call(
        documentsRoutes.create,
        {
          fields: { ...fieldsOf(sent.form), save_as_draft: true, target_user_char_id },
          files: { raw_documents: sent.files },
        },
        { ...options(), idempotencyKey: key.current },
      );
      key.current = crypto.randomUUID();
      return created.document_id;
    },
    onSuccess: async (id) => {
      onSent();
      toast.success(t('draftSaved'));
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      void navigate(`/document/create?draft=${id}`, { replace: true });
    },
    onError: (error, { files }) => failed(error, files, t('draftFailed')),
  });

  const update = ({ form, files, draft }: Sent) =>
    call(
      documentsRoutes.updateDraft,
      {
        params: { id: draft?.id ?? '' },
        fields: {
          ...fieldsOf(form),
          target_user_char_id: form.target_user_char_id,
          keep_files: JSON.stringify(draft?.keep ?? []),
        },
        files: { raw_documents: files },
      },
      options(),
    );

  const create = useMutation({
    onMutate: begin,
    mutationFn: async (creation: Creation) => {
      const { form, files, draft, verification, language } = creation;
      const { profile_pic, sign, eye } = verification;
      if (draft) await update(creation);
      const withKey = { ...options(), idempotencyKey: key.current };
      const created = draft
        ? await call(
            documentsRoutes.submitDraft,
            { params: { id: draft.id }, fields: {}, files: { profile_pic, sign, eye } },
            withKey,
          )
        : await call(
            documentsRoutes.create,
            { fields: fieldsOf(form), files: { raw_documents: files, profile_pic, sign, eye } },
            withKey,
          );
      await call(documentsRoutes.initiateAgreement, {
        body: {
          document_id: created.document_id,
          target_user_char_id: form.target_user_char_id,
          ...(language ? { notice_language: language } : {}),
        },
      }).catch((error: unknown) => toast.error(inviteFault(error)));
      return created;
    },
    onSuccess: async (created) => {
      onSent();
      toast.info(createElement(CreatedToast, { code: created.document_code }), CODE_TOAST_MS);
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      void navigate(`/document/${created.document_id}`);
    },
    onError: (error, { files }) => failed(error, files, t('createFailed')),
  });
  const inviteFault = (error: unknown) => {
    const reason = toastText(error, '');
    return reason ? t('inviteFailedWhy', { reason }) : t('inviteFailed');
  };

  return {
    save: save.mutate,
    saving: save.isPending,
    create: create.mutate,
    creating: create.isPending,
    /** 0 to 1 over all files while something is sent. */
    progress: save.isPending || create.isPending ? progress : undefined,
    fault,
    clearFault: () => setFault(null),
    cancel: () => stop.current.abort(),
  };
}

function fieldsOf({ page_details, name, location, start_date, end_date, description }: CreateForm) {
  const details = { name, location, start_date, end_date, description };
  return { ...details, page_details: JSON.stringify(page_details) };
}
