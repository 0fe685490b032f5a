/** The form's files of which pages would be kept as pictures, and which of them the user has accepted. */
import type { RawFile } from '@karaar/contracts/documents/http';
import { useSyncExternalStore } from 'react';
import { dropEarly, stateOf, subscribe, versionOf } from './early-uploads.ts';
import type { PictureFile } from './KeptPictures.tsx';

export type AskedFile = PictureFile & { key: string; isAccepted: boolean; remove: () => void };

type Files = {
  files: readonly File[];
  onFiles: (files: File[]) => void;
  /** Files of the draft, at the server already. */
  kept: readonly RawFile[];
  onKept: (kept: RawFile[]) => void;
  /** SHA-256 of what was accepted in this form. */
  accepted: readonly string[];
};

/** In the order of the list of files. */
export function useKeptPictures({ files, onFiles, kept, onKept, accepted }: Files): AskedFile[] {
  useSyncExternalStore(subscribe, versionOf);
  const ofDraft = kept.flatMap((file): Omit<AskedFile, 'key'>[] => {
    const { name, sha256, preview, pictures = [], picture_reasons: reasons = [] } = file;
    if (pictures.length === 0) return [];
    const isAccepted = Boolean(file.pictures_accepted_at) || accepted.includes(sha256);
    const remove = () => onKept(kept.filter((other) => other !== file));
    return [{ name, sha256, preview, pictures, reasons, isAccepted, remove }];
  });
  const early = files.flatMap((file): Omit<AskedFile, 'key'>[] => {
    const state = stateOf(file);
    if (state.step !== 'ready' || state.upload.pictures.length === 0) return [];
    const { name, sha256, preview, pictures, picture_reasons: reasons } = state.upload;
    const remove = () => {
      dropEarly(file);
      onFiles(files.filter((other) => other !== file));
    };
    const isAccepted = accepted.includes(sha256);
    return [{ name, sha256, preview, pictures, reasons, isAccepted, remove }];
  });
  // The same file before and after it is saved in the draft: whoever looks at it then goes on looking.
  const seen = new Map<string, number>();
  return [...ofDraft, ...early].map((file) => {
    const times = (seen.get(file.sha256) ?? 0) + 1;
    seen.set(file.sha256, times);
    return { ...file, key: `${file.sha256} ${times}` };
  });
}
