import { useTexts } from '@karaar/i18n';
import { DateField } from '@karaar/ui/fields';
import css from './shared.module.css';
import { sharedTexts } from './texts.ts';
import type { Filters } from './useFilters.ts';

/** From and to, both days included. */
export function Days({ filters }: { filters: Filters<'from' | 'to'> }) {
  const t = useTexts(sharedTexts);
  const { from, to } = filters.values;
  return (
    <div className={css.days}>
      <DateField
        label={t('from')}
        value={from}
        max={to || undefined}
        onChange={(day) => filters.set({ from: day })}
      />
      <DateField
        label={t('to')}
        value={to}
        min={from || undefined}
        onChange={(day) => filters.set({ to: day })}
      />
    </div>
  );
}
