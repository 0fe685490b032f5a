import type { RawFile } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { FileDrop, Stack, toast } from '@karaar/ui';
import { FileRows, type FileRow } from '@karaar/ui/files';
import { ACCEPTED, addFiles } from './form.ts';
import { createTexts } from './texts.ts';
import { fileProgress } from './uploads.ts';
import type { FileFault } from './useSending.ts';

type FileListProps = {
  /** Files of the draft, at the server already. */
  kept: readonly RawFile[];
  onKept: (kept: RawFile[]) => void;
  files: File[];
  onFiles: (files: File[]) => void;
  /** 0 to 1 while they are sent. */
  progress: number | undefined;
  fault: FileFault | null;
  onCancel: () => void;
  onRetry: () => void;
};

/** The raw documents: dropped or chosen, with size and type, each with its progress, removable. */
export function FileList(props: FileListProps) {
  const t = useTexts(createTexts);
  const { kept, onKept, files, onFiles, progress, fault, onCancel, onRetry } = props;
  const add = (added: File[]) => {
    const result = addFiles(files, added, kept.length);
    result.faults.forEach((each) => toast.error(t(each)));
    onFiles(result.files);
  };
  const sent = fileProgress(
    files.map((file) => file.size),
    progress ?? 0,
  );
  const rows: FileRow[] = [
    ...kept.map((file) => ({
      key: file.file_id,
      name: file.name,
      size: file.size,
      state: 'done' as const,
      onRemove: () => onKept(kept.filter((other) => other !== file)),
    })),
    ...files.map((file, index): FileRow => {
      const row = { key: `${file.name}-${file.lastModified}-${index}`, name: file.name, size: file.size };
      const remove = () => onFiles(files.filter((other) => other !== file));
      if (progress !== undefined) {
        const share = sent[index] ?? 0;
        return share >= 1
          ? { ...row, state: 'done' }
          : { ...row, state: 'sending', progress: share, onCancel };
      }
      if (fault && (fault.file === null || fault.file === file))
        return {
          ...row,
          state: 'failed',
          fault: fault.text,
          onRemove: remove,
          // A file that the server cannot take is not better the second time.
          ...(fault.file === null ? { onRetry } : {}),
        };
      return { ...row, state: 'ready', onRemove: remove };
    }),
  ];
  return (
    <Stack>
      <FileDrop
        label={t('drop')}
        hint={t('dropHint')}
        accept={ACCEPTED}
        multiple
        name="raw_documents"
        onFiles={add}
      />
      {rows.length > 0 && <FileRows label={t('files')} files={rows} />}
    </Stack>
  );
}
