import { enteredStore } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import type { Language } from '@karaar/contracts/limits';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Verification } from '../verification/verification.ts';
import { formFrom, formOf, type CreateForm } from './form.ts';

/** Everything that was entered into the form. */
export type Entered = {
  form: CreateForm;
  language: Language | '';
  files: File[];
  /** The draft's files that stay. */
  kept: Document['raw_files'];
  photos: Verification;
  /** SHA-256 of the files of which the user accepts that pages are kept as pictures. */
  accepted: string[];
};

const enteredOf = (draft: Document | undefined, form = formOf(draft)): Entered => ({
  form,
  language: '',
  files: [],
  kept: draft?.raw_files ?? [],
  photos: {},
  accepted: [],
});

/** What an earlier look at this form has left: all of it within this page, the words alone after a reload. */
function left(queries: QueryClient, key: readonly string[], draft: Document | undefined): Entered | null {
  const whole = queries.getQueryData<Entered>(key);
  if (whole) return whole;
  const words = enteredStore.read(key.join(' '));
  return words === undefined ? null : enteredOf(draft, formFrom(words, formOf(draft)));
}

/**
 * What is entered outlives a step back, a look at another screen and, as far as it is words, a reload. Files and photos
 * are kept with the answers of the server; signing out forgets both.
 */
export function useEntered(draft: Document | undefined) {
  const queries = useQueryClient();
  const { current: key } = useRef(['entered', draft?.document_id ?? 'new', String(draft?.version ?? 0)]);
  const [found] = useState(() => left(queries, key, draft));
  const [entered, setEntered] = useState(() => found ?? enteredOf(draft));
  const [isFound, setIsFound] = useState(found !== null);
  const latest = useRef(entered);
  const change = (part: Partial<Entered>) => {
    const next = { ...latest.current, ...part };
    latest.current = next;
    queries.setQueryDefaults(key, { gcTime: Infinity });
    queries.setQueryData(key, next);
    enteredStore.write(key.join(' '), next.form);
    setEntered(next);
  };
  /** It is at the server now, or thrown away. */
  const forget = () => {
    queries.removeQueries({ queryKey: key });
    enteredStore.drop(key.join(' '));
  };
  const startOver = () => {
    forget();
    latest.current = enteredOf(draft);
    setEntered(latest.current);
    setIsFound(false);
  };
  return { ...entered, isFound, change, forget, startOver };
}
