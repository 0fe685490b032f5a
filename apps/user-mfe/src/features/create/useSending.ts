import { ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import type { Language } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createElement, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { documentKeys } from '../../shared/queries.ts';
import { imagesOf, originsOf, type CompleteVerification } from '../verification/verification.ts';
import { CreatedToast, CODE_TOAST_MS } from './CreatedToast.tsx';
import { allReady, forgetEarly } from './early-uploads.ts';
import type { CreateForm } from './form.ts';
import { createTexts } from './texts.ts';

export type Sent = {
  form: CreateForm;
  /** Files that are not at the server yet. */
  files: File[];
  /** SHA-256 of those of which the user accepts that pages are kept as pictures. */
  accepted: string[];
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
  const [waiting, setWaiting] = useState(false);
  const stop = useRef(new AbortController());
  // One key per attempt of the user: a repeat after a lost answer makes no second document.
  const key = useRef(crypto.randomUUID());
  const options = () => ({ signal: stop.current.signal });

  const begin = () => {
    stop.current = new AbortController();
  };
  /** The form waits for its files: they are sent and checked before it. */
  const uploadsOf = async (files: readonly File[]): Promise<{ uploads?: string }> => {
    if (files.length === 0) return {};
    setWaiting(true);
    try {
      return { uploads: JSON.stringify(await allReady(files, stop.current.signal)) };
    } finally {
      setWaiting(false);
    }
  };
  const failed = (error: unknown, files: readonly File[], fallback: string) => {
    const text = toastText(error, fallback);
    // After an answer the next press is another attempt; without one it repeats this attempt.
    const answered = error instanceof ApiError && error.status !== 0;
    if (answered) key.current = crypto.randomUUID();
    if (error instanceof ApiError && /^upload_(not_found|taken)$/.test(error.code ?? '')) forgetEarly(files);
    if (refused(error)) return;
    toast.error(text);
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
          fields: {
            ...fieldsOf(sent),
            ...(await uploadsOf(sent.files)),
            save_as_draft: true,
            target_user_char_id,
          },
          files: { raw_documents: [] },
        },
        { ...options(), idempotencyKey: key.current },
      );
      key.current = crypto.randomUUID();
      return created.document_id;
    },
    onSuccess: async (id, { files }) => {
      forgetEarly(files);
      onSent();
      toast.success(t('draftSaved'));
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      void navigate(`/document/create?draft=${id}`, { replace: true });
    },
    onError: (error, { files }) => failed(error, files, t('draftFailed')),
  });

  const update = async (sent: Sent) =>
    call(
      documentsRoutes.updateDraft,
      {
        params: { id: sent.draft?.id ?? '' },
        fields: {
          ...fieldsOf(sent),
          ...(await uploadsOf(sent.files)),
          target_user_char_id: sent.form.target_user_char_id,
          keep_files: JSON.stringify(sent.draft?.keep ?? []),
        },
        files: { raw_documents: [] },
      },
      options(),
    );

  const create = useMutation({
    onMutate: begin,
    mutationFn: async (creation: Creation) => {
      const { form, files, draft, verification, language } = creation;
      const images = imagesOf(verification);
      const origins = originsOf(verification);
      if (draft) await update(creation);
      const withKey = { ...options(), idempotencyKey: key.current };
      const created = draft
        ? await call(
            documentsRoutes.submitDraft,
            {
              params: { id: draft.id },
              fields: { ...origins, ...acceptedOf(creation) },
              files: images,
            },
            withKey,
          )
        : await call(
            documentsRoutes.create,
            {
              fields: { ...fieldsOf(creation), ...origins, ...(await uploadsOf(files)) },
              files: { raw_documents: [], ...images },
            },
            withKey,
          );
      // It exists: its code need not wait for the invitation, which is one more way to the server and back.
      toast.info(createElement(CreatedToast, { code: created.document_code }), CODE_TOAST_MS);
      await call(documentsRoutes.initiateAgreement, {
        body: {
          document_id: created.document_id,
          target_user_char_id: form.target_user_char_id,
          ...(language ? { notice_language: language } : {}),
        },
      }).catch((error: unknown) => toast.error(inviteFault(error)));
      return created;
    },
    onSuccess: async (created, { files }) => {
      forgetEarly(files);
      onSent();
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
    /** The form was sent and waits for its files to be checked. */
    waiting,
  };
}

function fieldsOf({ form, accepted }: Pick<Sent, 'form' | 'accepted'>) {
  const { page_details, name, location, start_date, end_date, description } = form;
  const details = { name, location, start_date, end_date, description };
  return { ...details, page_details: JSON.stringify(page_details), ...acceptedOf({ accepted }) };
}

const acceptedOf = ({ accepted }: Pick<Sent, 'accepted'>) =>
  accepted.length > 0 ? { accepted_pictures: JSON.stringify(accepted) } : {};
