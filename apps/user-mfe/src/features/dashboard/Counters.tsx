import type { Document } from '@karaar/contracts/documents/http';
import css from './dashboard.module.css';
import { countDocuments } from './summary.ts';
import { dashboardTexts as texts } from './texts.ts';

/** The four numbers; a dash until the documents are there. */
export function Counters({ documents }: { documents: readonly Document[] | undefined }) {
  const counts = documents ? countDocuments(documents) : null;
  const entries = [
    ['total', texts.total, counts?.total],
    ['approved', texts.approved, counts?.approved],
    ['pending', texts.pendingCount, counts?.pending],
    ['finalized', texts.finalized, counts?.finalized],
  ] as const;
  return (
    <dl className={css.counters} aria-label={texts.counters}>
      {entries.map(([key, label, count]) => (
        <div key={key} className={css.counter} data-kind={key}>
          <dt>{label}</dt>
          <dd>{count ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
