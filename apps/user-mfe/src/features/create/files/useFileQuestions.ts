/**
 * The files that need the user's consent (pages kept as pictures, parts left out), and those already
 * accepted.
 */
import type { RawFile, Upload } from '@karaar/contracts/documents/http';
import { useSyncExternalStore } from 'react';
import { dropEarly, stateOf, subscribe, versionOf } from './early-uploads.ts';
import type { QuestionedFile } from './FileQuestion.tsx';

export type AskedFile = QuestionedFile & { key: string; isAccepted: boolean; remove: () => void };

type Files = {
  files: readonly File[];
  onFiles: (files: File[]) => void;
  kept: readonly RawFile[];
  onKept: (kept: RawFile[]) => void;
  /** SHA-256 of the files accepted in this form. */
  accepted: readonly string[];
};

/** In the order of the list of files. */
export function useFileQuestions({ files, onFiles, kept, onKept, accepted }: Files): AskedFile[] {
  useSyncExternalStore(subscribe, versionOf);
  const ofDraft = kept.flatMap((file): Omit<AskedFile, 'key'>[] => {
    const question = questionOf(file);
    if (!question) return [];
    const wasAccepted =
      (question.pictures.length === 0 || Boolean(file.pictures_accepted_at)) &&
      (question.leftOut.length === 0 || Boolean(file.left_out_accepted_at));
    const remove = () => onKept(kept.filter((other) => other !== file));
    return [{ ...question, isAccepted: wasAccepted || accepted.includes(file.sha256), remove }];
  });
  const early = files.flatMap((file): Omit<AskedFile, 'key'>[] => {
    const state = stateOf(file);
    const question = state.step === 'ready' ? questionOf(state.upload) : undefined;
    if (!question) return [];
    const remove = () => {
      dropEarly(file);
      onFiles(files.filter((other) => other !== file));
    };
    return [{ ...question, isAccepted: accepted.includes(question.sha256), remove }];
  });
  // The key of a file is the same before and after it is saved in the draft, so that an open dialog stays
  // open.
  const seen = new Map<string, number>();
  return [...ofDraft, ...early].map((file) => {
    const times = (seen.get(file.sha256) ?? 0) + 1;
    seen.set(file.sha256, times);
    return { ...file, key: `${file.sha256} ${times}` };
  });
}

/** Returns the question to the sender about a checked file; undefined for a file without one. */
function questionOf(file: RawFile | Upload): QuestionedFile | undefined {
  const { name, sha256, preview, pictures, picture_reasons: reasons, left_out: leftOut } = file;
  if (pictures.length === 0 && leftOut.length === 0) return undefined;
  return { name, sha256, preview, pictures, reasons, leftOut };
}
