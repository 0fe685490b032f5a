import { useId } from 'react';
import css from './fields.module.css';

type SegmentedControlProps<V extends string> = {
  /** The name for screen readers. */
  label: string;
  /** `lang`: the language of a label that is not in the page's, for screen readers. */
  options: readonly { value: V; label: string; lang?: string }[];
  value: V;
  onChange: (value: V) => void;
};

/** A choice of one from a few visible options. Radio buttons: arrow keys move, Tab leaves. */
export function SegmentedControl<V extends string>(props: SegmentedControlProps<V>) {
  const { label, options, value, onChange } = props;
  const name = useId();
  return (
    <fieldset className={css.segments}>
      <legend className="k-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={css.segment}>
          <input
            type="radio"
            className={css.segmentInput}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={css.segmentText} lang={option.lang}>
            {option.label}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
