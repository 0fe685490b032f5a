import type { KeyOf } from '@karaar/i18n';
import type { ReactNode } from 'react';
import { uiTexts } from '../texts.ts';
import type en from '../texts/en.json';
import css from './data.module.css';

/** approved, pending and finalized have a colour; every other status is neutral (spec §4). */
const toned = new Set(['approved', 'pending', 'finalized']);

const words: Readonly<Record<string, KeyOf<typeof en>>> = {
  draft: 'statusDraft',
  pending: 'statusPending',
  pending_approval: 'statusPendingApproval',
  approved: 'statusApproved',
  finalized: 'statusFinalized',
  rejected: 'statusRejected',
  completed: 'statusCompleted',
  partial: 'statusPartial',
  failed: 'statusFailed',
  reversed: 'statusReversed',
};

/** Returns the text of a document's or payment's status; an unknown status is shown unchanged. */
export function statusText(status: string): string {
  const word = words[status];
  return word ? uiTexts.say(word) : status;
}

type StampProps = {
  status: string;
  /** A cancelled document has the status `rejected`. */
  cancelled?: boolean;
  large?: boolean;
};

/** A document's status as a stamp. */
export function StatusStamp({ status, cancelled = false, large = false }: StampProps) {
  return (
    <span
      className={css.stamp}
      data-status={toned.has(status) ? status : 'neutral'}
      data-large={large || undefined}
    >
      {cancelled ? uiTexts.say('statusCancelled') : statusText(status)}
    </span>
  );
}

export type Tone = 'neutral' | 'verified' | 'waiting' | 'rejected' | 'info';

/** A small status for a person or a row. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={css.badge} data-tone={tone}>
      {children}
    </span>
  );
}
