/** The files of one upload: accepted files, their progress, and the refused ones. */
import { ApiError } from '@karaar/api-client';
import { RAW_FILE_MAX_BYTES } from '@karaar/contracts/limits';
import type { KeyOf, Message } from '@karaar/i18n';
import { sharedTexts } from '../texts.ts';
import type en from '../texts/en.json';

export type UploadFault = Message<KeyOf<typeof en>>;

/** The properties of a file that are checked before sending. */
export type FileLike = Pick<File, 'name' | 'size'>;

/** Returns why a file of any kind is refused, or null. */
export function sizeFault({ name, size }: FileLike): UploadFault | null {
  if (size === 0) return { key: 'emptyFile', values: { name } };
  return size > RAW_FILE_MAX_BYTES ? { key: 'largeFile', values: { name } } : null;
}

/** Adds files to a list with a maximum; returns the new list and why some were left out. */
export function addFiles<F extends FileLike>(
  list: readonly F[],
  added: readonly F[],
  {
    most,
    besides = 0,
    faultOf = sizeFault,
  }: {
    most: number;
    /** The number of files already on the server. */
    besides?: number;
    faultOf?: (file: F) => UploadFault | null;
  },
): { files: F[]; faults: UploadFault[] } {
  const faults: UploadFault[] = added.flatMap((file) => faultOf(file) ?? []);
  const files = [...list, ...added.filter((file) => faultOf(file) === null)];
  const room = Math.max(0, most - besides);
  if (files.length > room) faults.push({ key: 'tooMany', values: { count: most } });
  return { files: files.slice(0, room), faults };
}

/**
 * Returns the progress of each file (0 to 1): they upload one after the other, so the total progress
 * determines it.
 */
export function fileProgress(sizes: readonly number[], whole: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let sent = Math.min(Math.max(whole, 0), 1) * total;
  return sizes.map((size) => {
    const part = Math.min(size, Math.max(0, sent));
    sent -= size;
    return size === 0 ? 1 : part / size;
  });
}

/** Returns the file that an error text names: the server names the file it refuses. */
export function namedFile<F extends { name: string }>(files: readonly F[], text: string): F | undefined {
  return files
    .filter((file) => text.includes(file.name))
    .sort((a, b) => b.name.length - a.name.length)
    .at(0);
}

/** Why a file is not on the server: its own fault, or (no file) an interrupted upload. */
export type SendFault = { file: File | null; text: string };

/**
 * Returns where a failed upload is shown: at the file that the server names, at all files after an
 * interruption, or nowhere.
 */
export function sendFault(
  files: readonly File[],
  error: unknown,
  text: string,
  cancelled: boolean,
): SendFault | null {
  if (cancelled) return { file: null, text: sharedTexts.say('uploadCancelled') };
  const file = namedFile(files, text);
  if (file) return { file, text };
  const answered = error instanceof ApiError && error.status !== 0;
  return answered ? null : { file: null, text: sharedTexts.say('uploadCutOff') };
}
