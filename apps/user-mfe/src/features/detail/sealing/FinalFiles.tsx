import { FINAL_FILES_MAX_COUNT } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import { FileDrop, Stack, toast } from '@karaar/ui';
import { FileRows } from '@karaar/ui/files';
import { sharedTexts } from '../../../shared/texts.ts';
import { uploadRows } from '../../../shared/uploads/rows.ts';
import { addFiles } from '../../../shared/uploads/uploads.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import type { Finalizing } from './useFinalizing.ts';

/** The additional files of the sealed PDF: chosen before finalizing, with progress during the upload. */
export function FinalFiles({ finalizing }: { finalizing: Finalizing }) {
  const t = useTexts(detailTexts);
  const sayShared = useTexts(sharedTexts);
  const { files, setFiles, asking } = finalizing;
  const add = (added: File[]) => {
    const result = addFiles(files, added, { most: FINAL_FILES_MAX_COUNT });
    result.faults.forEach((each) => toast.error(sayShared(each)));
    setFiles(result.files);
  };
  const rows = uploadRows({
    ...finalizing,
    onFiles: setFiles,
    onCancel: finalizing.cancel,
    onRetry: finalizing.start,
  });
  return (
    <Stack>
      {!asking && (
        <FileDrop
          label={t('attach')}
          hint={t('attachHint', { count: FINAL_FILES_MAX_COUNT })}
          accept=".pdf,.doc,.docx,.png,.jpg,.jpeg,.txt"
          multiple
          name="final_documents"
          onFiles={add}
        />
      )}
      {rows.length > 0 && <FileRows label={t('attachList')} files={rows} />}
    </Stack>
  );
}
