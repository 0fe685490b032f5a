import { ApiError, call } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { documentKeys } from '../../../shared/queries.ts';
import { forgetEarly, stateOf, subscribe, versionOf } from '../files/early-uploads.ts';
import { datesFault } from '../steps/steps.ts';
import { enteredOf, type Entered, type useEntered } from '../form/useEntered.ts';
import { contentOf, makeDraft, printOf, savedOf, updateDraft } from './draft-content.ts';

/** Milliseconds without input before a change is saved, and before a failed save is retried. */
const REST_MS = 1_200;
const AGAIN_MS = 8_000;

/** `changed`: the draft was changed in another window, so that a save would undo that. */
export type Saving = 'none' | 'saving' | 'saved' | 'failed' | 'changed';

const isUnderWay = (file: File) => ['waiting', 'sending', 'checking'].includes(stateOf(file).step);

/**
 * Saves the form with its files as a draft, from the moment it has a name.
 * @param onMade called when a new form became a draft
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
  const savedDraft = useRef(draft && savedOf(draft));
  const running = useRef<Promise<void>>(Promise.resolve());
  const isStopped = useRef(false);
  const [make] = useState(makeDraft);
  const [update] = useState(updateDraft);
  // The latest callback: the page may render again during a save.
  const latestOnMade = useRef(onMade);
  latestOnMade.current = onMade;
  // A newly checked file also needs a save.
  useSyncExternalStore(subscribe, versionOf);

  const write = async (): Promise<void> => {
    const latest = entered.latest();
    if (printOf(latest) === written.current) return;
    setSaving('saving');
    const before = savedDraft.current;
    const isNew = before === undefined;
    const saved = await (before
      ? update.save({ ...contentOf(latest), saved: before })
      : make.save(contentOf(latest)));
    const document = saved.draft;
    const { now, ready, keep } = saved.content;
    // The files of this save are the last ones of the draft, in order.
    const added = document.raw_files.filter(({ file_id }) => !keep.includes(file_id));
    const after = entered.latest();
    const kept = [
      ...after.kept.map((file) => document.raw_files.find(({ file_id }) => file_id === file.file_id) ?? file),
      // A file that was removed meanwhile is removed by the next save.
      ...added.filter((_, at) => after.files.some((file) => file === ready[at]?.file)),
    ];
    const files = after.files.filter((file) => !ready.some((each) => each.file === file));
    forgetEarly(ready.map(({ file }) => file));
    savedDraft.current = savedOf(document);
    written.current = printOf({ ...now, kept: document.raw_files, files: [] });
    // Photos bound to a creation without a draft do not belong to this document: they are taken again.
    const photos = isNew ? { photos: {} } : {};
    entered.saved(document, { kept, files, ...photos }, after.form === now.form);
    setSaving('saved');
    // Immediately: a reload from now on must find the draft.
    if (isNew) {
      setId(document.document_id);
      latestOnMade.current(document.document_id);
    }
    await queries.invalidateQueries({ queryKey: documentKeys.all, refetchType: 'none' });
    queries.setQueryData(documentKeys.one(document.document_id), document);
  };
  /** Saves pending changes; saves run one after the other, so that none overtakes another. */
  const save = (): Promise<void> => {
    const next = running.current.then(write);
    running.current = next.catch((error: unknown) =>
      setSaving(error instanceof ApiError && error.code === 'draft_changed' ? 'changed' : 'failed'),
    );
    return next;
  };

  /**
   * A photo is valid only for the form in which it was taken: a new form with photos does not become a draft.
   */
  const mayMake = () => {
    const { profile_pic, eye } = entered.latest().photos;
    return savedDraft.current !== undefined || (!profile_pic && !eye);
  };
  const canSave = (now: Entered) => now.form.name.trim() !== '' && !datesFault(now.form);
  const due = canSave(entered) && printOf(entered) !== written.current ? printOf(entered) : null;
  const saveQuietly = useEffectEvent(() => {
    // The form shows the failure, and the save is retried.
    if (!isStopped.current && mayMake()) save().catch(() => undefined);
  });
  useEffect(() => {
    if (due === null || saving === 'changed') return;
    const timer = setTimeout(saveQuietly, saving === 'failed' ? AGAIN_MS : REST_MS);
    return () => clearTimeout(timer);
  }, [due, saving]);

  /**
   * Returns the state shown next to the form: pending changes and files that are still uploading are not
   * saved.
   */
  const displayedState = (): Saving => {
    if (saving !== 'saved') return saving;
    if (due !== null || entered.files.some(isUnderWay)) return 'saving';
    return printOf(entered) === written.current ? 'saved' : 'none';
  };

  return {
    id,
    saving: displayedState(),
    save,
    /**
     * Saves before the camera opens, so that its photos are bound to the draft. Unsaved changes are sent with
     * them.
     */
    settle: async () => {
      if (canSave(entered.latest()) && mayMake()) await save().catch(() => undefined);
    },
    /** Waits for a running save, and starts no other until `goOn`. */
    stop: async () => {
      isStopped.current = true;
      await running.current;
      return savedDraft.current?.id;
    },
    goOn: () => {
      isStopped.current = false;
    },
    /** Deletes the draft of a first save whose answer was lost: the form was sent without it. */
    deleteUnanswered: async () => {
      const unanswered = await make.unanswered();
      if (unanswered) await call(documentsRoutes.deleteDraft, { params: { id: unanswered } });
    },
  };
}
