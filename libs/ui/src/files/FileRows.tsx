import { useTexts } from '@karaar/i18n';
import { fileSize, Icon, IconButton, partTexts } from '@karaar/ui';
import css from './files.module.css';

export type FileRow = {
  key: string;
  name: string;
  /** Bytes. */
  size: number;
  /** `ready` has not been sent; `failed` has its reason in `fault`. */
  state: 'ready' | 'sending' | 'done' | 'failed';
  /** 0 to 1 while sending. */
  progress?: number;
  fault?: string;
  /** A text instead of the progress while sending, and of "Uploaded" when done. */
  note?: string;
  onCancel?: () => void;
  onRetry?: () => void;
  onRemove?: () => void;
};

const kind = (name: string): string => (name.includes('.') ? (name.split('.').at(-1) ?? '') : '').slice(0, 4);

/** Chosen files with size and type, each with progress, Cancel, Try again and Remove. */
export function FileRows({ label, files }: { label: string; files: readonly FileRow[] }) {
  const t = useTexts(partTexts);
  return (
    <ul className={css.files} aria-label={label}>
      {files.map((file) => (
        <li key={file.key} className={css.file} data-state={file.state}>
          <span className={css.kind} aria-hidden="true">
            {kind(file.name)}
          </span>
          <div className={css.text}>
            <span className={css.name}>{file.name}</span>
            <span className={css.note}>{note(file, t)}</span>
            {file.state === 'sending' && <Bar file={file} />}
          </div>
          {file.state === 'done' && (
            <span className={css.done} aria-hidden="true">
              <Icon name="check" />
            </span>
          )}
          {file.state === 'sending' && file.onCancel && (
            <IconButton icon="close" label={t('cancelUpload', { what: file.name })} onClick={file.onCancel} />
          )}
          {file.state === 'failed' && file.onRetry && (
            <IconButton icon="refresh" label={t('retryUpload', { what: file.name })} onClick={file.onRetry} />
          )}
          {file.state !== 'sending' && file.onRemove && (
            <IconButton icon="trash" label={t('removeFile', { what: file.name })} onClick={file.onRemove} />
          )}
        </li>
      ))}
    </ul>
  );
}

const percent = ({ progress = 0 }: FileRow) => Math.round(progress * 100);

function note(file: FileRow, t: typeof partTexts.say): string {
  const size = fileSize(file.size);
  if (file.state === 'failed') return file.fault ?? size;
  if (file.state === 'sending') return `${size} · ${file.note ?? `${percent(file)} %`}`;
  return file.state === 'done' ? `${size} · ${file.note ?? t('uploaded')}` : size;
}

function Bar({ file }: { file: FileRow }) {
  return (
    <span
      role="progressbar"
      aria-label={file.name}
      aria-valuenow={percent(file)}
      aria-valuemin={0}
      aria-valuemax={100}
      className={css.track}
    >
      <span className={css.bar} style={{ width: `${percent(file)}%` }} />
    </span>
  );
}
