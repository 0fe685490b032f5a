import { useTexts } from '@karaar/i18n';
import { Button, TextButton } from '@karaar/ui';
import { FilterChips, type FilterChip } from '@karaar/ui/tables';
import { useId, useState } from 'react';
import { DayBox } from './DayBox.tsx';
import { SearchBox } from './SearchBox.tsx';
import css from './shared.module.css';
import { sharedTexts } from './texts.ts';
import type { Filters } from './useFilters.ts';

/** A filter with at most one chosen option. */
export type Choice<K extends string> = {
  key: K;
  /** The name of the group: "Status". */
  label: string;
  options: readonly FilterChip<string>[];
  /** The default option, which cannot be removed. */
  usual?: string;
};

type ListToolsProps<K extends string> = {
  filters: Filters<K>;
  searchLabel: string | undefined;
  choices: readonly Choice<K>[];
};

/**
 * Search, days and choices above a list. On a phone all but the search collapse, with the number of active
 * filters.
 */
export function ListTools<K extends string>({ filters, searchLabel, choices }: ListToolsProps<K>) {
  const t = useTexts(sharedTexts);
  const [open, setOpen] = useState(false);
  const id = useId();
  const values = filters.values as Partial<Record<string, string>>;
  const { search, from, to } = values;
  const chosen = [from, to, ...choices.map(({ key }) => values[key])].filter(Boolean).length;
  const searched = searchLabel !== undefined && search !== undefined;
  return (
    <div className={css.tools}>
      {searched && (
        <div className={css.toolsFirst}>
          <SearchBox
            label={searchLabel}
            value={search}
            onSearch={(text) => filters.change({ search: text }, { replace: true })}
          />
          <div className={css.fold}>
            <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
              {chosen > 0 ? t('filtersOn', { count: chosen }) : t('filters')}
            </Button>
          </div>
        </div>
      )}
      <div id={id} className={css.toolsRest} data-folded={searched && !open ? true : undefined}>
        {from !== undefined && to !== undefined && (
          <div className={css.days}>
            <DayBox label={t('from')} value={from} max={to} onDay={(day) => filters.change({ from: day })} />
            <DayBox label={t('to')} value={to} min={from} onDay={(day) => filters.change({ to: day })} />
          </div>
        )}
        {choices.map(({ key, label, options, usual }) => {
          const value = values[key] || usual;
          return (
            <FilterChips
              key={key}
              label={label}
              single
              chips={options}
              chosen={value ? [value] : []}
              onChange={([next = '']) => filters.change({ [key]: next === usual ? '' : next })}
            />
          );
        })}
        {(chosen > 0 || search) && <TextButton onClick={filters.clear}>{t('clear')}</TextButton>}
      </div>
    </div>
  );
}
