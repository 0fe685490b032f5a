/** Files travel to the server and are checked there while the form is still filled in. */
import { ApiError, call, refusedFile } from '@karaar/api-client';
import { documentsRoutes, type Upload } from '@karaar/contracts/documents/http';

/** How far a file is. A refused one is not better the second time; a failed one may be. */
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

/** By the file itself: it goes on when the screen is left, and is found again with the file. */
const entries = new WeakMap<File, Entry>();
const listeners = new Set<() => void>();
let version = 0;
/** One file travels behind the other: together they would all be slow. */
let road: Promise<unknown> = Promise.resolve();

function tell(entry: Entry, state: EarlyUpload): void {
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

/** Sends those that are not under way or there yet. */
export function sendEarly(files: readonly File[]): void {
  for (const file of files) if (!entries.has(file)) begin(file);
}

/** Sends a file again that was cancelled or cut off. */
export function sendAgain(file: File): void {
  entries.delete(file);
  begin(file);
}

/** Stops a file on its way; it stays in the list. */
export function cancelEarly(file: File): void {
  entries.get(file)?.stop.abort();
}

/** Forgets a file, here and at the server. */
export function dropEarly(file: File): void {
  const entry = entries.get(file);
  if (!entry) return;
  entries.delete(file);
  entry.stop.abort();
  const { state } = entry;
  if (state.step === 'checking' || state.step === 'ready') {
    // What is not taken away now is gone after a day.
    call(documentsRoutes.deleteUpload, { params: { id: state.upload.upload_id } }).catch(() => undefined);
  }
}

/** After they were used, or are not at the server any more: the next try sends them again. */
export function forgetEarly(files: readonly File[]): void {
  for (const file of files) entries.delete(file);
}

/**
 * Waits until all are checked, sending again what was cut off; answers their ids in order. Throws the error of the first
 * that is refused or does not arrive, and the signal's reason when the user gives up.
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
  // At once, also for one that still waits for its turn.
  entry.stop.signal.addEventListener('abort', () => tell(entry, { step: 'cancelled' }), { once: true });
  entry.done = run(file, entry).catch((error: unknown) => {
    if (entry.stop.signal.aborted) return;
    const isRefused = error instanceof ApiError && (error.status === 413 || error.status === 422);
    tell(entry, { step: isRefused ? 'refused' : 'failed', error });
  });
  tell(entry, WAITING);
}

async function run(file: File, entry: Entry): Promise<void> {
  const { signal } = entry.stop;
  const sent = road.then(() => {
    signal.throwIfAborted();
    return call(
      documentsRoutes.upload,
      { fields: {}, files: { file } },
      { signal, onProgress: (share) => tell(entry, { step: 'sending', share }) },
    );
  });
  road = sent.catch(() => undefined);
  let upload = await sent;
  while (upload.state === 'checking') {
    tell(entry, { step: 'checking', upload });
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    signal.throwIfAborted();
    upload = await call(documentsRoutes.getUpload, { params: { id: upload.upload_id } }, { signal });
  }
  if (upload.state === 'refused') {
    throw await refusedFile({ code: upload.code ?? '', detail: upload.detail ?? '', file: file.name });
  }
  tell(entry, { step: 'ready', upload });
}
