/** The chosen files as rows of `FileRows`, with their upload state. */
import { toastText } from '@karaar/api-client';
import type { Upload } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import type { FileRow } from '@karaar/ui/files';
import { useEffect, useSyncExternalStore } from 'react';
import { sharedTexts } from '../../../shared/texts.ts';
import {
  cancelEarly,
  dropEarly,
  sendAgain,
  sendEarly,
  stateOf,
  subscribe,
  versionOf,
  type EarlyUpload,
} from './early-uploads.ts';
import { createTexts } from '../texts.ts';

/**
 * Uploads each file as soon as it is chosen.
 * @param onFiles receives the list after a removal
 */
export function useEarlyRows(files: readonly File[], onFiles: (files: File[]) => void): FileRow[] {
  const t = useTexts(createTexts);
  const sayShared = useTexts(sharedTexts);
  useSyncExternalStore(subscribe, versionOf);
  useEffect(() => sendEarly(files), [files]);

  return files.map((file, index): FileRow => {
    const row = { key: `${file.name}-${file.lastModified}-${index}`, name: file.name, size: file.size };
    const onRemove = () => {
      dropEarly(file);
      onFiles(files.filter((other) => other !== file));
    };
    const onRetry = () => sendAgain(file);
    const state = stateOf(file);
    switch (state.step) {
      case 'ready':
        return {
          ...row,
          state: 'done',
          note: checkedNote(state.upload),
          onRemove,
        };
      case 'refused':
        return { ...row, state: 'failed', fault: toastText(state.error, t('uploadFailed')), onRemove };
      case 'failed':
        return {
          ...row,
          state: 'failed',
          fault: toastText(state.error, sayShared('uploadCutOff')),
          onRemove,
          onRetry,
        };
      case 'cancelled':
        return { ...row, state: 'failed', fault: sayShared('uploadCancelled'), onRemove, onRetry };
      case 'waiting':
      case 'sending':
      case 'checking':
        return { ...row, state: 'sending', ...progressOf(state), onCancel: () => cancelEarly(file) };
    }
  });

  function progressOf(state: EarlyUpload): { progress: number; note?: string } {
    if (state.step === 'sending') return { progress: state.share };
    if (state.step !== 'checking') return { progress: 0, note: t('waiting') };
    const { pages, pages_done: done } = state.upload;
    if (pages === null) return { progress: 0, note: t('checking') };
    return { progress: done / pages, note: t('checkingPage', { done: Math.min(done + 1, pages), pages }) };
  }
}

/** Returns the note on a checked file. */
export function checkedNote(file: Pick<Upload, 'pages' | 'pictures' | 'left_out'>): string {
  const { pictures, left_out: parts } = file;
  const pages = file.pages ?? 1;
  if (pictures.length > 0) return createTexts.say('asPicture', { pages, list: pictures.join(', ') });
  return createTexts.say(parts.length > 0 ? 'withoutParts' : 'checked', { pages });
}
