import { enteredStore, queryKeys } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import type { Language } from '@karaar/contracts/limits';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Verification } from '../../verification/verification.ts';
import { formFrom, formOf, type CreateForm } from './form.ts';

/** All input of the form. */
export type Entered = {
  form: CreateForm;
  language: Language | '';
  files: File[];
  /** The files that stay in the draft. */
  kept: Document['raw_files'];
  photos: Verification;
  /** SHA-256 of the files for which the user accepted pictures of pages or left-out parts. */
  accepted: string[];
};

type SavedDraft = Pick<Document, 'document_id' | 'version'>;

export const enteredOf = (draft: Document | undefined, form = formOf(draft)): Entered => ({
  form,
  language: '',
  files: [],
  kept: draft?.raw_files ?? [],
  photos: {},
  accepted: [],
});

const keyOf = (draft: SavedDraft | undefined) => [
  ...queryKeys.entered,
  draft?.document_id ?? 'new',
  String(draft?.version ?? 0),
];

/** Fills a new form; input that was stored before takes precedence. */
export function beginWith(queries: QueryClient, form: CreateForm): void {
  const key = keyOf(undefined);
  if (left(queries, key, undefined) === null) enteredStore.write(key.join(' '), form);
}

/** Returns the input of an earlier visit: all of it within this page, only the texts after a reload. */
function left(queries: QueryClient, key: readonly string[], draft: Document | undefined): Entered | null {
  const whole = queries.getQueryData<Entered>(key);
  if (whole) return whole;
  const words = enteredStore.read(key.join(' '));
  return words === undefined ? null : enteredOf(draft, formFrom(words, formOf(draft)));
}

/**
 * Keeps input across Back, other screens and, for texts, a reload, from the first keystroke; a saved draft is
 * on the server with its files. Photos are kept in the query cache. Signing out, and
 * signing in as another user, deletes all of it here.
 */
export function useEntered(draft: Document | undefined) {
  const queries = useQueryClient();
  const key = useRef(keyOf(draft));
  const [found] = useState(() => left(queries, key.current, draft));
  const [entered, setEntered] = useState(() => found ?? enteredOf(draft));
  const [isFound, setIsFound] = useState(found !== null && !draft);
  const latest = useRef(entered);
  const put = (next: Entered) => {
    latest.current = next;
    queries.setQueryDefaults(key.current, { gcTime: Infinity });
    queries.setQueryData(key.current, next);
    setEntered(next);
  };
  const change = (part: Partial<Entered>) => {
    const next = { ...latest.current, ...part };
    enteredStore.write(key.current.join(' '), next.form);
    put(next);
  };
  /** Called when the input is on the server or was discarded. */
  const forget = () => {
    queries.removeQueries({ queryKey: key.current });
    enteredStore.drop(key.current.join(' '));
  };
  const saved = (version: SavedDraft, next: Partial<Entered>, isWhole: boolean) => {
    forget();
    key.current = keyOf(version);
    if (!isWhole) return change(next);
    put({ ...latest.current, ...next });
    // The draft does not store it.
    const { answer_by, late } = latest.current.form;
    if (answer_by) enteredStore.write(key.current.join(' '), { answer_by, late });
  };
  const startOver = () => {
    forget();
    latest.current = enteredOf(draft);
    setEntered(latest.current);
    setIsFound(false);
  };
  return { ...entered, latest: () => latest.current, isFound, change, forget, saved, startOver };
}
