/** Uploads and checks files while the form is still being filled in. */
import { ApiError, call, refusedFile } from '@karaar/api-client';
import { documentsRoutes, type Upload } from '@karaar/contracts/documents/http';

/** The state of a file. A refused file fails again on retry; a failed one may succeed. */
export type EarlyUpload =
  | { step: 'waiting' }
  | { step: 'sending'; share: number }
  | { step: 'checking'; upload: Upload }
  | { step: 'ready'; upload: Upload }
  | { step: 'refused' | 'failed'; error: unknown }
  | { step: 'cancelled' };

const ASK_EVERY_MS = 700;
const WAITING: EarlyUpload = { step: 'waiting' };

type Entry = { state: EarlyUpload; stop: AbortController; done: Promise<void> };

/**
 * Keyed by the file: the upload continues when the user leaves the screen, and is found again with the file.
 */
const entries = new WeakMap<File, Entry>();
const listeners = new Set<() => void>();
let version = 0;
/** Files upload one after the other: together all would be slow. */
let road: Promise<unknown> = Promise.resolve();

function setState(entry: Entry, state: EarlyUpload): void {
  entry.state = state;
  version += 1;
  listeners.forEach((listener) => listener());
}

export const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const versionOf = (): number => version;
export const stateOf = (file: File): EarlyUpload => entries.get(file)?.state ?? WAITING;

/** Uploads the files that are neither uploading nor uploaded. */
export function sendEarly(files: readonly File[]): void {
  for (const file of files) if (!entries.has(file)) begin(file);
}

/** Uploads a file again after a cancel or a failure. */
export function sendAgain(file: File): void {
  entries.delete(file);
  begin(file);
}

/** Cancels the upload of a file; it stays in the list. */
export function cancelEarly(file: File): void {
  entries.get(file)?.stop.abort();
}

/** Removes a file here and on the server. */
export function dropEarly(file: File): void {
  const entry = entries.get(file);
  if (!entry) return;
  entries.delete(file);
  entry.stop.abort();
  const { state } = entry;
  if (state.step === 'checking' || state.step === 'ready') {
    // If this fails, the server deletes the file after a day.
    call(documentsRoutes.deleteUpload, { params: { id: state.upload.upload_id } }).catch(() => undefined);
  }
}

/** Forgets uploads that were used or are no longer on the server: the next attempt uploads them again. */
export function forgetEarly(files: readonly File[]): void {
  for (const file of files) entries.delete(file);
}

/**
 * Waits until all files are checked, and uploads failed ones again; returns their ids in order.
 * @throws the error of the first file that is refused or fails, and the reason of the signal on abort
 */
export async function allReady(files: readonly File[], signal: AbortSignal): Promise<string[]> {
  for (const file of files) {
    const { step } = stateOf(file);
    if (step === 'failed' || step === 'cancelled') sendAgain(file);
  }
  sendEarly(files);
  const stop = (): void => files.forEach(cancelEarly);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.all(files.map((file) => entries.get(file)?.done));
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return files.map((file) => {
    const state = stateOf(file);
    if (state.step === 'ready') return state.upload.upload_id;
    throw 'error' in state ? state.error : new ApiError(0, null);
  });
}

function begin(file: File): void {
  const entry: Entry = { state: WAITING, stop: new AbortController(), done: Promise.resolve() };
  entries.set(file, entry);
  // Immediately, also for a file that is still queued.
  entry.stop.signal.addEventListener('abort', () => setState(entry, { step: 'cancelled' }), { once: true });
  entry.done = run(file, entry).catch((error: unknown) => {
    if (entry.stop.signal.aborted) return;
    const isRefused = error instanceof ApiError && (error.status === 413 || error.status === 422);
    setState(entry, { step: isRefused ? 'refused' : 'failed', error });
  });
  setState(entry, WAITING);
}

async function run(file: File, entry: Entry): Promise<void> {
  const { signal } = entry.stop;
  const sent = road.then(() => {
    signal.throwIfAborted();
    return call(
      documentsRoutes.upload,
      { fields: {}, files: { file } },
      { signal, onProgress: (share) => setState(entry, { step: 'sending', share }) },
    );
  });
  road = sent.catch(() => undefined);
  let upload = await sent;
  while (upload.state === 'checking') {
    setState(entry, { step: 'checking', upload });
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    signal.throwIfAborted();
    upload = await call(documentsRoutes.getUpload, { params: { id: upload.upload_id } }, { signal });
  }
  if (upload.state === 'refused') {
    throw await refusedFile({ code: upload.code ?? '', detail: upload.detail ?? '', file: file.name });
  }
  setState(entry, { step: 'ready', upload });
}
