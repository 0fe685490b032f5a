import { TextField } from '@karaar/ui';
import type { ComponentProps } from 'react';

type DateFieldProps = {
  /** ISO day, 2026-11-21, or empty. */
  value: string;
  onChange: (day: string) => void;
  min?: string | undefined;
  max?: string | undefined;
} & Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'type' | 'code' | 'min' | 'max'>;

/** A day, by the device's own calendar, which speaks the user's language and is the best one on a phone. */
export function DateField({ value, onChange, ...field }: DateFieldProps) {
  return (
    <TextField {...field} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
  );
}
