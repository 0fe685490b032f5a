/** The files of an upload as rows of `FileRows`. */
import type { FileRow } from '@karaar/ui/files';
import { fileProgress, type SendFault } from './uploads.ts';

type Upload = {
  files: readonly File[];
  onFiles: (files: File[]) => void;
  /** 0 to 1 while they are sent. */
  progress: number | undefined;
  fault: SendFault | null;
  onCancel: () => void;
  onRetry: () => void;
};

/**
 * Returns a row per file: progress and Cancel during the upload, fault and Try again after a failure, else
 * removable.
 */
export function uploadRows({ files, onFiles, progress, fault, onCancel, onRetry }: Upload): FileRow[] {
  const sent = fileProgress(
    files.map((file) => file.size),
    progress ?? 0,
  );
  return files.map((file, index): FileRow => {
    const row = { key: `${file.name}-${file.lastModified}-${index}`, name: file.name, size: file.size };
    const onRemove = () => onFiles(files.filter((other) => other !== file));
    if (progress !== undefined) {
      const share = sent[index] ?? 0;
      return share >= 1 ? { ...row, state: 'done' } : { ...row, state: 'sending', progress: share, onCancel };
    }
    if (!fault || (fault.file !== null && fault.file !== file)) return { ...row, state: 'ready', onRemove };
    // A file that the server refuses fails again on retry.
    const retry = fault.file === null ? { onRetry } : {};
    return { ...row, state: 'failed', fault: fault.text, onRemove, ...retry };
  });
}
