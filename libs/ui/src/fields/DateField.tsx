import { useTexts } from '@karaar/i18n';
import { IconButton, partTexts, TextField } from '@karaar/ui';
import { useRef, useState, type ComponentProps } from 'react';
import { dayTyped, readDay, writtenDay } from './day.ts';
import css from './fields.module.css';

type DateFieldProps = {
  /** ISO day, 2026-11-21, or empty; also a text that is not a day, as `onChange` reported it. */
  value: string;
  /** Receives the ISO day, empty while `typed` is not a day. */
  onChange: (day: string, typed: string) => void;
  min?: string | undefined;
  max?: string | undefined;
} & Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'type' | 'code' | 'min' | 'max' | 'action'>;

/**
 * A date as written in India, dd/mm/yyyy: typed, or chosen in the device's calendar. A date input uses the
 * order of the browser's language, and WebKit fills an empty one with today.
 */
export function DateField({ value, onChange, min, max, error, ...field }: DateFieldProps) {
  const t = useTexts(partTexts);
  const calendar = useRef<HTMLInputElement>(null);
  // The text being typed; null while the field shows the value.
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(true);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    // Changed elsewhere, for example by a reset of all filters.
    if (typed !== null && value !== (readDay(typed) ?? '') && value !== typed) setTyped(null);
  }
  const text = typed ?? writtenDay(value);
  const type = (next: string) => {
    const kept = dayTyped(next, text);
    setTyped(kept);
    setLeft(false);
    onChange(readDay(kept) ?? '', kept);
  };
  const choose = (day: string) => {
    setTyped(null);
    onChange(day, day);
  };
  const leave = () => {
    setLeft(true);
    if (typed !== null && (typed === '' || readDay(typed))) setTyped(null);
  };
  const isUnread = isLeft && text !== '' && !readDay(text);
  return (
    <div className={css.date}>
      <TextField
        {...field}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('dayPattern')}
        error={isUnread ? t('dayUnread') : error}
        value={text}
        onChange={(event) => type(event.target.value)}
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
        value={readDay(value) ?? ''}
        min={min}
        max={max}
        onChange={(event) => choose(event.target.value)}
      />
    </div>
  );
}
