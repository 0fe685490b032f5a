import { ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { invitationsRoutes } from '@karaar/contracts/documents/invitations';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createElement, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { documentKeys } from '../../shared/queries.ts';
import { imagesOf, originsOf, type CompleteVerification } from '../verification/verification.ts';
import { CreatedToast, CODE_TOAST_MS } from './CreatedToast.tsx';
import { currentDraft } from './draft/current-draft.ts';
import { allReady, forgetEarly } from './files/early-uploads.ts';
import { acceptedOf, fieldsOf } from './form/fields.ts';
import { createTexts } from './texts.ts';
import type { useAutosave } from './draft/useAutosave.ts';
import type { Entered, useEntered } from './form/useEntered.ts';

type Form = { entered: ReturnType<typeof useEntered>; autosave: ReturnType<typeof useAutosave> };

/**
 * Sends the form: as a document whose other party is then invited (spec §7), or as a draft. A failed
 * invitation does not undo the creation: the user is told, and can add the party later.
 * @param refused shows the user where to fix an error, and returns true if it did
 */
export function useSending({ entered, autosave }: Form, refused: (error: unknown) => boolean) {
  const t = useTexts(createTexts);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState(false);
  // One idempotency key per attempt: a retry after a lost response creates no second document.
  const key = useRef(crypto.randomUUID());

  /** Waits until the files are uploaded and checked. */
  const uploadsOf = async (files: readonly File[]): Promise<{ uploads?: string }> => {
    if (files.length === 0) return {};
    setWaiting(true);
    try {
      return { uploads: JSON.stringify(await allReady(files, new AbortController().signal)) };
    } finally {
      setWaiting(false);
    }
  };
  const failed = (error: unknown, fallback: string) => {
    const { files } = entered.latest();
    const text = toastText(error, fallback);
    // After a response the next press is a new attempt; without one it repeats this attempt.
    const answered = error instanceof ApiError && error.status !== 0;
    if (answered) key.current = crypto.randomUUID();
    if (error instanceof ApiError && /^upload_(not_found|taken)$/.test(error.code ?? '')) forgetEarly(files);
    if (refused(error)) return;
    toast.error(text);
  };

  const save = useMutation({
    mutationFn: async () => {
      await uploadsOf(entered.latest().files);
      await autosave.save();
    },
    onSuccess: () => toast.success(t('draftSaved')),
    onError: (error) => failed(error, t('draftFailed')),
  });

  const create = useMutation({
    mutationFn: async (verification: CompleteVerification) => {
      const draftId = await autosave.stop();
      const sent = entered.latest();
      const withKey = { idempotencyKey: key.current };
      const made = { origins: originsOf(verification), images: imagesOf(verification), withKey };
      const created = draftId
        ? await submitted(draftId, made)
        : await call(
            documentsRoutes.create,
            {
              fields: { ...fieldsOf(sent), ...made.origins, ...(await uploadsOf(sent.files)) },
              files: { raw_documents: [], ...made.images },
            },
            withKey,
          );
      // The document exists: show its code without waiting for the invitation, which is another request.
      toast.info(createElement(CreatedToast, { code: created.document_code }), CODE_TOAST_MS);
      await invite(created.document_id, sent);
      // A draft that cannot be deleted now is in the user's list, and can be discarded there.
      if (!draftId) await autosave.deleteUnanswered().catch(() => undefined);
      return { created, sent };
    },
    onSuccess: async ({ created, sent }) => {
      forgetEarly(sent.files);
      entered.forget();
      currentDraft.forget();
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      void navigate(`/document/${created.document_id}`);
    },
    onError: (error) => failed(error, t('createFailed')),
    onSettled: autosave.goOn,
  });

  /** Turns a draft into a document once the whole form is saved in it. */
  const submitted = async (id: string, { origins, images, withKey }: SentWith) => {
    await uploadsOf(entered.latest().files);
    await autosave.save();
    const fields = { ...origins, ...acceptedOf(entered.latest()) };
    return call(documentsRoutes.submitDraft, { params: { id }, fields, files: images }, withKey);
  };
  const invite = async (id: string, { form, language }: Entered) => {
    const deadline = form.answer_by ? { answer_by: form.answer_by } : {};
    try {
      // Before the invitation, which says so.
      if (form.answer_by && form.late)
        await call(documentsRoutes.chooseCancelLate, { params: { id }, body: { cancel_late: true } });
      if (form.invite_by === 'contact') {
        const body = { contact: form.target_contact, ...(language ? { language } : {}), ...deadline };
        await call(invitationsRoutes.inviteContact, { params: { id }, body });
        toast.info(t('contactInvited', { contact: form.target_contact.trim() }));
      } else {
        const notice = language ? { notice_language: language } : {};
        const body = {
          document_id: id,
          target_user_char_id: form.target_user_char_id,
          ...notice,
          ...deadline,
        };
        await call(documentsRoutes.initiateAgreement, { body });
      }
    } catch (error) {
      const reason = toastText(error, '');
      toast.error(reason ? t('inviteFailedWhy', { reason }) : t('inviteFailed'));
    }
  };

  return {
    save: () => save.mutate(),
    saving: save.isPending,
    create: create.mutate,
    creating: create.isPending,
    /** The form was sent and waits for its files to be checked. */
    waiting,
  };
}

type SentWith = {
  origins: ReturnType<typeof originsOf>;
  images: ReturnType<typeof imagesOf>;
  withKey: { idempotencyKey: string };
};
