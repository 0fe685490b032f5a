import { useTexts } from '@karaar/i18n';
import { FileDrop, fileSize, Icon, IconButton, Stack, toast } from '@karaar/ui';
import css from './create.module.css';
import { ACCEPTED, addFiles, fileType } from './form.ts';
import { createTexts } from './texts.ts';

/** The raw documents: dropped or chosen, with size and type, each removable. */
export function FileList({ files, onChange }: { files: File[]; onChange: (files: File[]) => void }) {
  const t = useTexts(createTexts);
  const add = (added: File[]) => {
    const result = addFiles(files, added);
    result.faults.forEach((fault) => toast.error(t(fault)));
    onChange(result.files);
  };
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
      {files.length > 0 && (
        <ul className={css.files}>
          {files.map((file, index) => (
            <li key={`${file.name}-${file.lastModified}-${index}`} className={css.file}>
              <Icon name="document" size={22} />
              <span className={css.fileText}>
                <span className={css.fileName}>{file.name}</span>
                <span className="k-muted k-small k-num">
                  {fileType(file)} · {fileSize(file.size)}
                </span>
              </span>
              <IconButton
                icon="trash"
                label={t('removeFile', { name: file.name })}
                onClick={() => onChange(files.filter((_, at) => at !== index))}
              />
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
