import { Icon, type IconName } from '@karaar/ui';
import type { ReactNode } from 'react';
import css from './navigation.module.css';

export type ThreadEntry = {
  key: string;
  /** The event and its actor. */
  title: ReactNode;
  note?: ReactNode;
  tone?: 'neutral' | 'verified' | 'waiting' | 'rejected' | 'sealed';
  icon?: IconName;
};

const icons: Record<NonNullable<ThreadEntry['tone']>, IconName | null> = {
  neutral: null,
  verified: 'tick',
  waiting: 'clock',
  rejected: 'close',
  sealed: 'shield',
};

/** The events of a document as a vertical thread. Pending steps are at its dashed end. */
export function Thread({ label, entries }: { label: string; entries: readonly ThreadEntry[] }) {
  return (
    <ol className={css.thread} aria-label={label}>
      {entries.map(({ key, title, note, tone = 'neutral', icon }) => {
        const shown = icon ?? icons[tone];
        return (
          <li key={key} className={css.knot} data-tone={tone}>
            <span className={css.knotMark} aria-hidden="true">
              {shown && <Icon name={shown} size={14} />}
            </span>
            <div className={css.knotText}>
              <div className={css.knotTitle}>{title}</div>
              {note && <div className={css.knotNote}>{note}</div>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
