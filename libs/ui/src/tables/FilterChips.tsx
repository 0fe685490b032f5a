import { Icon, wholeNumber } from '@karaar/ui';
import css from './tables.module.css';

export type FilterChip<V extends string> = { value: V; label: string; count?: number };

type FilterChipsProps<V extends string> = {
  /** The name of the group: "Status". */
  label: string;
  chips: readonly FilterChip<V>[];
  /** The selected filters; empty means everything. */
  chosen: readonly V[];
  onChange: (chosen: V[]) => void;
  /** At most one at a time. */
  single?: boolean;
};

/** Visible filters, each removed with one tap. */
export function FilterChips<V extends string>(props: FilterChipsProps<V>) {
  const { label, chips, chosen, onChange, single = false } = props;
  const toggle = (value: V) => {
    if (chosen.includes(value)) return onChange(chosen.filter((other) => other !== value));
    onChange(single ? [value] : [...chosen, value]);
  };
  return (
    <div role="group" aria-label={label} className={css.chips}>
      {chips.map(({ value, label: text, count }) => {
        const on = chosen.includes(value);
        return (
          <button
            key={value}
            type="button"
            className={css.chip}
            aria-pressed={on}
            onClick={() => toggle(value)}
          >
            {on && <Icon name="tick" size={16} />}
            <span>{text}</span>
            {count !== undefined && <span className={css.chipCount}>{wholeNumber(count)}</span>}
          </button>
        );
      })}
    </div>
  );
}
