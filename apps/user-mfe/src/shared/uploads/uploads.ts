/** The files of one upload: which are taken, how far each is, and which of them the server did not take. */
import { ApiError } from '@karaar/api-client';
import { RAW_FILE_MAX_BYTES } from '@karaar/contracts/limits';
import type { KeyOf, Message } from '@karaar/i18n';
import { sharedTexts } from '../texts.ts';
import type en from '../texts/en.json';

export type UploadFault = Message<KeyOf<typeof en>>;

/** What is asked of a file before it is sent. */
export type FileLike = Pick<File, 'name' | 'size'>;

/** Why a file of any kind is not taken, or null. */
export function sizeFault({ name, size }: FileLike): UploadFault | null {
  if (size === 0) return { key: 'emptyFile', values: { name } };
  return size > RAW_FILE_MAX_BYTES ? { key: 'largeFile', values: { name } } : null;
}

/** Adds files to a list of at most as many; returns the new list and why some were left out. */
export function addFiles<F extends FileLike>(
  list: readonly F[],
  added: readonly F[],
  {
    most,
    besides = 0,
    faultOf = sizeFault,
  }: {
    most: number;
    /** How many the server has already. */
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

/** The files travel one behind the other, so the share of the whole says how far each is (0 to 1). */
export function fileProgress(sizes: readonly number[], whole: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let sent = Math.min(Math.max(whole, 0), 1) * total;
  return sizes.map((size) => {
    const part = Math.min(size, Math.max(0, sent));
    sent -= size;
    return size === 0 ? 1 : part / size;
  });
}

/** The file that an error text names: the server says by name which one it cannot take. */
export function namedFile<F extends { name: string }>(files: readonly F[], text: string): F | undefined {
  return files
    .filter((file) => text.includes(file.name))
    .sort((a, b) => b.name.length - a.name.length)
    .at(0);
}

/** Why a file is not at the server: its own fault, or (no file) that the upload was cut off. */
export type SendFault = { file: File | null; text: string };

/** Where a failed upload is told: at the file that the server names, at all of them when it was cut off, or nowhere. */
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
