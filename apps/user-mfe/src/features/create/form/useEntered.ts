import { enteredStore } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import type { Language } from '@karaar/contracts/limits';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Verification } from '../../verification/verification.ts';
import { formFrom, formOf, type CreateForm } from './form.ts';

/** Everything that was entered into the form. */
export type Entered = {
  form: CreateForm;
  language: Language | '';
  files: File[];
  /** The draft's files that stay. */
  kept: Document['raw_files'];
  photos: Verification;
  /** SHA-256 of the files of which the user accepts that pages are kept as pictures, or parts left out. */
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
  'entered',
  draft?.document_id ?? 'new',
  String(draft?.version ?? 0),
];

/** Fills a new form in; what was entered into it before is kept where there is something. */
export function beginWith(queries: QueryClient, form: CreateForm): void {
  const key = keyOf(undefined);
  if (left(queries, key, undefined) === null) enteredStore.write(key.join(' '), form);
}

/** What an earlier look at this form has left: all of it within this page, the words alone after a reload. */
function left(queries: QueryClient, key: readonly string[], draft: Document | undefined): Entered | null {
  const whole = queries.getQueryData<Entered>(key);
  if (whole) return whole;
  const words = enteredStore.read(key.join(' '));
  return words === undefined ? null : enteredOf(draft, formFrom(words, formOf(draft)));
}

/**
 * What is entered outlives a step back, a look at another screen and, as far as it is words, a reload, from the first
 * letter on; what was saved as a draft is at the server, with its files. Photos are kept with the answers of the server.
 * Signing out forgets all of it here.
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
  /** It is at the server now, or thrown away. */
  const forget = () => {
    queries.removeQueries({ queryKey: key.current });
    enteredStore.drop(key.current.join(' '));
  };
  /** A version of the draft is at the server; what was changed since stays as it is. */
  const saved = (version: SavedDraft, next: Partial<Entered>, isWhole: boolean) => {
    forget();
    key.current = keyOf(version);
    if (!isWhole) return change(next);
    put({ ...latest.current, ...next });
    // The draft has no place for it.
    const { answer_by } = latest.current.form;
    if (answer_by) enteredStore.write(key.current.join(' '), { answer_by });
  };
  const startOver = () => {
    forget();
    latest.current = enteredOf(draft);
    setEntered(latest.current);
    setIsFound(false);
  };
  return { ...entered, latest: () => latest.current, isFound, change, forget, saved, startOver };
}
