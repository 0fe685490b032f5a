import { fileSize, Icon } from '@karaar/ui';
import type { ReactElement } from 'react';
import css from './chat.module.css';

type FileCardProps = {
  name: string;
  /** Bytes. */
  size: number;
  /** The URL of a picture. */
  src?: string | null | undefined;
  /** Next to it: remove, open. */
  action?: ReactElement;
};

const kind = (name: string) => (name.includes('.') ? (name.split('.').at(-1) ?? '') : '').slice(0, 4);

/** A sent or attached file: its picture or type, its name and size. */
export function FileCard({ name, size, src, action }: FileCardProps) {
  return (
    <span className={css.file}>
      <span className={css.fileKind}>
        {src ? <img src={src} alt="" /> : kind(name) || <Icon name="document" />}
      </span>
      <span className={css.fileText}>
        <span className={css.fileName} translate="no">
          {name}
        </span>
        <span className={css.fileSize}>{fileSize(size)}</span>
      </span>
      {action}
    </span>
  );
}
