import { useId, useState, type DragEvent } from 'react';
import { Icon, type IconName } from '../icons/Icon.tsx';
import css from './files.module.css';

type FileDropProps = {
  label: string;
  /** The accepted files, in words. */
  hint: string;
  /** The fault, in place of the hint; marks the input as invalid. */
  error?: string | undefined;
  /**
   * The input's accept list; any file by default. The caller checks again, because the browser's filter can
   * be bypassed.
   */
  accept?: string;
  multiple?: boolean;
  icon?: IconName;
  /** The name of the file input, for forms. */
  name?: string;
  onFiles: (files: File[]) => void;
};

/** A file input that also accepts dropped files. The whole area is its label. */
export function FileDrop({
  label,
  hint,
  error,
  accept,
  multiple = false,
  icon = 'upload',
  name,
  onFiles,
}: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  return (
    <div
      className={css.drop}
      data-over={over || undefined}
      data-invalid={error ? true : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        id={id}
        name={name}
        type="file"
        className={css.fileInput}
        accept={accept}
        multiple={multiple}
        aria-describedby={`${id}-hint`}
        aria-invalid={error ? true : undefined}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // So that the same file can be chosen again after it was removed.
          event.target.value = '';
        }}
      />
      <label htmlFor={id} className={css.dropLabel}>
        <span className={css.dropIcon}>
          <Icon name={icon} size={22} />
        </span>
        <span className={css.dropTitle}>{label}</span>
      </label>
      <p id={`${id}-hint`} className={error ? css.dropError : css.dropHint}>
        {error ?? hint}
      </p>
    </div>
  );
}
