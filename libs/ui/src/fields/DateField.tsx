import { useTexts } from '@karaar/i18n';
import { IconButton, Modal, partTexts, TextField } from '@karaar/ui';
import { useState, type ComponentProps } from 'react';
import { dayTyped, finishedDay, readDay, writtenDay } from './day.ts';

type DateFieldProps = {
  /** ISO day, 2026-11-21, or empty; also a text that is not a day, as `onChange` reported it. */
  value: string;
  /** Receives the ISO day, empty while `typed` is not a day. */
  onChange: (day: string, typed: string) => void;
  min?: string | undefined;
  max?: string | undefined;
} & Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'type' | 'code' | 'min' | 'max' | 'action'>;

/**
 * A date as written in India, dd/mm/yyyy: typed, or chosen in a calendar. A date input of the browser uses
 * the order of the browser's language, and WebKit fills an empty one with today.
 */
export function DateField({ value, onChange, min, max, error, ...field }: DateFieldProps) {
  const t = useTexts(partTexts);
  const [isOpen, setOpen] = useState(false);
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
    setOpen(false);
    setTyped(null);
    onChange(day, day);
  };
  const finish = () => {
    setLeft(true);
    if (typed === null) return;
    const day = finishedDay(typed);
    if (day && day !== value) onChange(day, day);
    if (day !== undefined) setTyped(null);
  };
  const isUnread = isLeft && text !== '' && !readDay(text);
  return (
    <>
      <TextField
        {...field}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('dayPattern')}
        error={isUnread ? t('dayUnread') : error}
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => event.key === 'Enter' && finish()}
        action={
          <IconButton
            icon="calendar"
            label={`${t('calendar')}: ${field.label}`}
            disabled={field.disabled}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          />
        }
      />
      {isOpen && (
        <Modal
          title={field.label}
          opened
          width={384}
          onClose={() => setOpen(false)}
          calendar={{
            value: readDay(value),
            min: min && readDay(min),
            max: max && readDay(max),
            onChoose: choose,
          }}
        />
      )}
    </>
  );
}
