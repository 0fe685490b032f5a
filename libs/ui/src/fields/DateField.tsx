import { useTexts } from '@karaar/i18n';
import { IconButton, partTexts, TextField } from '@karaar/ui';
import { useRef, useState, type ComponentProps } from 'react';
import { dayTyped, readDay, writtenDay } from './day.ts';
import css from './fields.module.css';

type DateFieldProps = {
  /** ISO day, 2026-11-21, or empty. */
  value: string;
  onChange: (day: string) => void;
  min?: string | undefined;
  max?: string | undefined;
} & Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'type' | 'code' | 'min' | 'max' | 'action'>;

/**
 * A day as it is written in India, dd/mm/yyyy: typed, or chosen in the device's own calendar, which is the best one on a
 * phone. A field of the browser's own shows it in the order of the browser's language, and WebKit fills an empty one with
 * today's day.
 */
export function DateField({ value, onChange, min, max, error, ...field }: DateFieldProps) {
  const t = useTexts(partTexts);
  const calendar = useRef<HTMLInputElement>(null);
  // What is being typed; null while the field shows the day that counts.
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    // Changed elsewhere, as when all filters are taken off.
    if (typed !== null && (readDay(typed) ?? '') !== value) setTyped(null);
  }
  const text = typed ?? writtenDay(value);
  const type = (next: string) => {
    const kept = dayTyped(next, text);
    const day = readDay(kept);
    // Whole days that were pasted in another way are shown as all are.
    setTyped(day && kept.includes('-') ? null : kept);
    onChange(day ?? '');
  };
  const choose = (day: string) => {
    setTyped(null);
    onChange(day);
  };
  const leave = () => {
    setLeft(true);
    if (typed !== null && (typed === '' || readDay(typed))) setTyped(null);
  };
  const isOpen = isLeft && typed !== null;
  return (
    <div className={css.date}>
      <TextField
        {...field}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('dayPattern')}
        error={isOpen ? t('dayUnread') : error}
        value={text}
        onChange={(event) => type(event.target.value)}
        onFocus={() => setLeft(false)}
        onBlur={leave}
        action={
          <IconButton
            icon="calendar"
            label={`${t('calendar')}: ${field.label}`}
            disabled={field.disabled}
            onClick={() => calendar.current?.showPicker()}
          />
        }
      />
      <input
        ref={calendar}
        className={css.calendar}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        value={value}
        min={min}
        max={max}
        onChange={(event) => choose(event.target.value)}
      />
    </div>
  );
}
