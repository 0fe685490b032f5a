import { ApiError, call } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { documentKeys } from '../../../shared/queries.ts';
import { isWhole } from '../../../shared/roles.ts';
import { forgetEarly, stateOf, subscribe, versionOf } from '../files/early-uploads.ts';
import { fieldsOf } from '../form/fields.ts';
import { areReversed } from '../steps/steps.ts';
import { enteredOf, type Entered, type useEntered } from '../form/useEntered.ts';

/** Milliseconds of rest after which a change is saved, and after which a failure is tried again. */
const REST_MS = 1_200;
const AGAIN_MS = 8_000;

export type Saving = 'none' | 'saving' | 'saved' | 'failed';

/** The files that are checked already, up to the first that is not: their order is that of the pages. */
function readyOf(files: readonly File[]): { file: File; upload: string }[] {
  const ready: { file: File; upload: string }[] = [];
  for (const file of files) {
    const state = stateOf(file);
    if (state.step !== 'ready') break;
    ready.push({ file, upload: state.upload.upload_id });
  }
  return ready;
}

const isUnderWay = (file: File) => ['waiting', 'sending', 'checking'].includes(stateOf(file).step);

/** What a save would write: the same text means that there is nothing to save. */
const printOf = ({ form, kept, files, accepted }: Entered) =>
  JSON.stringify([
    form,
    kept.map((file) => file.file_id),
    readyOf(files).map(({ upload }) => upload),
    accepted,
  ]);

/**
 * Saves the form as a draft by itself, with its files, from the moment at which it has a name.
 * @param onMade a new form has become a draft
 */
export function useAutosave(
  draft: Document | undefined,
  entered: ReturnType<typeof useEntered>,
  onMade: (id: string) => void,
) {
  const queries = useQueryClient();
  const [id, setId] = useState(draft?.document_id);
  const [saving, setSaving] = useState<Saving>(draft ? 'saved' : 'none');
  const written = useRef(printOf(enteredOf(draft)));
  const draftId = useRef(id);
  const running = useRef<Promise<void>>(Promise.resolve());
  const isStopped = useRef(false);
  // One key until it is there: a repeat after a lost answer makes no second draft.
  const key = useRef(crypto.randomUUID());
  // As of the latest drawing: the step may have changed while it was saved.
  const tell = useRef(onMade);
  tell.current = onMade;
  // A file that is checked is one more thing to save.
  useSyncExternalStore(subscribe, versionOf);

  const write = async (): Promise<void> => {
    const now = entered.latest();
    const print = printOf(now);
    if (print === written.current) return;
    setSaving('saving');
    const ready = readyOf(now.files);
    const keep = now.kept.map((file) => file.file_id);
    const fields = {
      ...fieldsOf(now),
      target_user_char_id: now.form.target_user_char_id,
      ...(ready.length > 0 ? { uploads: JSON.stringify(ready.map(({ upload }) => upload)) } : {}),
    };
    const isNew = draftId.current === undefined;
    const document = await (isNew
      ? makeDraft(fields, key.current)
      : call(documentsRoutes.updateDraft, {
          params: { id: draftId.current ?? '' },
          fields: { ...fields, keep_files: JSON.stringify(keep) },
          files: { raw_documents: [] },
        }));
    // Those that were sent now are the last of the draft's files, in their order.
    const added = document.raw_files.filter(({ file_id }) => !keep.includes(file_id));
    const after = entered.latest();
    const kept = [
      ...after.kept.map((file) => document.raw_files.find(({ file_id }) => file_id === file.file_id) ?? file),
      // A file that the user removed meanwhile goes with the next save.
      ...added.filter((_, at) => after.files.some((file) => file === ready[at]?.file)),
    ];
    const files = after.files.filter((file) => !ready.some((each) => each.file === file));
    forgetEarly(ready.map(({ file }) => file));
    draftId.current = document.document_id;
    written.current = printOf({ ...now, kept: document.raw_files, files: [] });
    // Photos that were bound to a creation without a draft are not of this document: they are taken again.
    const photos = isNew ? { photos: {} } : {};
    entered.saved(document, { kept, files, ...photos }, after.form === now.form);
    setSaving('saved');
    // At once: a reload from now on has to find the draft.
    if (isNew) {
      setId(document.document_id);
      tell.current(document.document_id);
    }
    await queries.invalidateQueries({ queryKey: documentKeys.all, refetchType: 'none' });
    queries.setQueryData(documentKeys.one(document.document_id), document);
  };
  /** Saves what is not saved yet; one after the other, so that none overtakes another. */
  const save = (): Promise<void> => {
    const next = running.current.then(write);
    running.current = next.catch((error: unknown) => {
      // Another key for another try, but not where the answer was lost.
      if (error instanceof ApiError && error.status !== 0) key.current = crypto.randomUUID();
      setSaving('failed');
    });
    return next;
  };

  /** A photo is valid only for the form it was taken in: a new form with photos is not turned into a draft. */
  const mayMake = () => {
    const { profile_pic, eye } = entered.latest().photos;
    return draftId.current !== undefined || (!profile_pic && !eye);
  };
  const canSave = (now: Entered) => now.form.name.trim() !== '' && !areReversed(now.form);
  const due = canSave(entered) && printOf(entered) !== written.current ? printOf(entered) : null;
  const saveQuietly = useEffectEvent(() => {
    // The form shows the failure, and saving is tried again.
    if (!isStopped.current && mayMake()) save().catch(() => undefined);
  });
  useEffect(() => {
    if (due === null) return;
    const timer = setTimeout(saveQuietly, saving === 'failed' ? AGAIN_MS : REST_MS);
    return () => clearTimeout(timer);
  }, [due, saving]);

  /** What is told beside the form: a change that waits for its save, or a file on its way, is not saved yet. */
  const told = (): Saving => {
    if (saving !== 'saved') return saving;
    if (due !== null || entered.files.some(isUnderWay)) return 'saving';
    return printOf(entered) === written.current ? 'saved' : 'none';
  };

  return {
    id,
    saving: told(),
    save,
    /** Before the camera opens: its photos are then bound to the draft. What cannot be saved now is sent with them. */
    settle: async () => {
      if (canSave(entered.latest()) && mayMake()) await save().catch(() => undefined);
    },
    /** Waits for a save under way, and begins no other until `goOn`. */
    stop: async () => {
      isStopped.current = true;
      await running.current;
      return draftId.current;
    },
    goOn: () => {
      isStopped.current = false;
    },
  };
}

async function makeDraft(
  fields: ReturnType<typeof fieldsOf> & { target_user_char_id: string; uploads?: string },
  idempotencyKey: string,
): Promise<Document> {
  const { document_id: id } = await call(
    documentsRoutes.create,
    { fields: { ...fields, save_as_draft: true }, files: { raw_documents: [] } },
    { idempotencyKey },
  );
  const document = await call(documentsRoutes.get, { params: { id } });
  if (!isWhole(document)) throw new Error('A new draft is not shown to its creator');
  return document;
}
