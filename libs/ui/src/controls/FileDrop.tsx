import { useId, useState, type DragEvent } from 'react';
import { Icon, type IconName } from '../icons/Icon.tsx';
import css from './files.module.css';

type FileDropProps = {
  label: string;
  /** What may be dropped, in words. */
  hint: string;
  /** What is missing or wrong, in place of the hint; marks the input as invalid. */
  error?: string | undefined;
  /** The input's accept list; any kind of file unless given. The caller checks again: a browser's filter is a convenience. */
  accept?: string;
  multiple?: boolean;
  icon?: IconName;
  /** Name of the file input, for forms. */
  name?: string;
  onFiles: (files: File[]) => void;
};

/** A file input that also takes dropped files. The whole area is its label. */
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
          // The same file can be chosen again after it was removed.
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
