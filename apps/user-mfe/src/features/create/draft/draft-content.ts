/** The content of a saved draft, and the requests that send it. */
import { call } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { isWhole } from '../../../shared/roles.ts';
import { stateOf } from '../files/early-uploads.ts';
import { fieldsOf } from '../form/fields.ts';
import type { Entered } from '../form/useEntered.ts';
import { repeatedSave } from './repeated-save.ts';

/** Returns the checked files up to the first unchecked one: their order is the order of the pages. */
function readyOf(files: readonly File[]): { file: File; upload: string }[] {
  const ready: { file: File; upload: string }[] = [];
  for (const file of files) {
    const state = stateOf(file);
    if (state.step !== 'ready') break;
    ready.push({ file, upload: state.upload.upload_id });
  }
  return ready;
}

/** Returns the content of a save as a text: an equal text means that there is nothing to save. */
export const printOf = ({ form, kept, files, accepted }: Entered) =>
  JSON.stringify([
    form,
    kept.map((file) => file.file_id),
    readyOf(files).map(({ upload }) => upload),
    accepted,
  ]);

/** Returns what a save sends, with the form that it was made of. */
export function contentOf(now: Entered) {
  const ready = readyOf(now.files);
  return {
    now,
    ready,
    keep: now.kept.map((file) => file.file_id),
    fields: {
      ...fieldsOf(now),
      target_user_char_id: now.form.target_user_char_id,
      ...(ready.length > 0 ? { uploads: JSON.stringify(ready.map(({ upload }) => upload)) } : {}),
    },
  };
}
type Content = ReturnType<typeof contentOf>;
/** A draft, and the version of its content that the form began from. */
export type SavedDraft = { id: string; version: number };

export const savedOf = ({ document_id: id, content_version: version = 0 }: Document): SavedDraft => ({
  id,
  version,
});

/** Saves a new form as a draft. */
export const makeDraft = () =>
  repeatedSave<Content, string, Document>({
    send: async ({ fields }, idempotencyKey) => {
      const request = { fields: { ...fields, save_as_draft: true }, files: { raw_documents: [] } };
      return (await call(documentsRoutes.create, request, { idempotencyKey })).document_id;
    },
    read: async (id) => {
      const document = await call(documentsRoutes.get, { params: { id } });
      if (!isWhole(document)) throw new Error('A new draft is not shown to its creator');
      return document;
    },
  });

/**
 * Saves a draft again, with the files that it keeps and the new ones. Throws 412 if the draft was changed elsewhere
 * since `saved`.
 */
export const updateDraft = () =>
  repeatedSave<Content & { saved: SavedDraft }, Document, Document>({
    send: ({ saved: { id, version }, fields, keep }, idempotencyKey) =>
      call(
        documentsRoutes.updateDraft,
        {
          params: { id },
          fields: { ...fields, keep_files: JSON.stringify(keep) },
          files: { raw_documents: [] },
        },
        { idempotencyKey, ifMatch: `"${version}"` },
      ),
    read: (document) => Promise.resolve(document),
  });
