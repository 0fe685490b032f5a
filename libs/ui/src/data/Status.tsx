import type { ReactNode } from 'react';
import css from './data.module.css';

/** approved, pending and finalized have a colour of their own; every other status is neutral (spec §4). */
const toned = new Set(['approved', 'pending', 'finalized']);

/** Words of a status: pending_approval → Pending approval. */
export const statusText = (status: string): string => {
  const words = status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A document's state as a stamp on its sheet. */
export function StatusStamp({ status, large = false }: { status: string; large?: boolean }) {
  return (
    <span
      className={css.stamp}
      data-status={toned.has(status) ? status : 'neutral'}
      data-large={large || undefined}
    >
      {statusText(status)}
    </span>
  );
}

export type Tone = 'neutral' | 'verified' | 'waiting' | 'rejected' | 'info';

/** A small state beside a person or a row. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={css.badge} data-tone={tone}>
      {children}
    </span>
  );
}
