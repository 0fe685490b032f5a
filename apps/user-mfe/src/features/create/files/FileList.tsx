import type { RawFile } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { FileDrop, Stack, toast } from '@karaar/ui';
import { FileRows, type FileRow } from '@karaar/ui/files';
import { sharedTexts } from '../../../shared/texts.ts';
import { addFiles } from '../../../shared/uploads/uploads.ts';
import css from '../create.module.css';
import { ACCEPTED, RAW_FILES } from '../form/form.ts';
import { createTexts } from '../texts.ts';
import { checkedNote, useEarlyRows } from './useEarlyRows.ts';

type FileListProps = {
  kept: readonly RawFile[];
  onKept: (kept: RawFile[]) => void;
  files: File[];
  onFiles: (files: File[]) => void;
  /** The error to show once the user tried to continue. */
  fault: string | undefined;
};

/** The raw documents, dropped or chosen, with size, type, progress and check; removable. */
export function FileList(props: FileListProps) {
  const t = useTexts(createTexts);
  const sayShared = useTexts(sharedTexts);
  const { kept, onKept, files, onFiles, fault } = props;
  const early = useEarlyRows(files, onFiles);
  const add = (added: File[]) => {
    const result = addFiles(files, added, { ...RAW_FILES, besides: kept.length });
    result.faults.forEach((each) => toast.error(sayShared(each)));
    onFiles(result.files);
  };
  const rows: FileRow[] = [
    ...kept.map((file) => ({
      key: file.file_id,
      name: file.name,
      size: file.size,
      state: 'done' as const,
      note: checkedNote(file),
      onRemove: () => onKept(kept.filter((other) => other !== file)),
    })),
    ...early,
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
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      {rows.length > 0 && <FileRows label={t('files')} files={rows} />}
    </Stack>
  );
}
