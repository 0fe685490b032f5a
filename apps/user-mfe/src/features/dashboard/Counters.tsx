import type { DocumentCounts } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import css from './dashboard.module.css';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';

/** The four counts of the user's documents; a dash until they are loaded. */
export function Counters({ counts }: { counts: DocumentCounts | undefined }) {
  const t = useTexts(dashboardTexts);
  const entries = [
    ['total', t('total'), counts?.total],
    ['approved', t('approved'), counts?.approved],
    ['pending', t('pendingCount'), counts?.pending],
    ['finalized', t('finalized'), counts?.finalized],
  ] as const;
  return (
    <dl className={css.counters} aria-label={t('counters')}>
      {entries.map(([key, label, count]) => (
        <div key={key} className={css.counter} data-kind={key}>
          <dt>{label}</dt>
          <dd>{count ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
