import { TextField } from '@karaar/ui';
import type { ComponentProps } from 'react';
import { digitsOnly } from './clean.ts';

type PhoneFieldProps = { value: string; onChange: (digits: string) => void } & Omit<
  ComponentProps<typeof TextField>,
  'value' | 'onChange' | 'prefix' | 'type'
>;

/** An Indian phone number: the fixed +91 and 10 digits. */
export function PhoneField({ value, onChange, ...field }: PhoneFieldProps) {
  return (
    <TextField
      autoComplete="tel-national"
      inputMode="numeric"
      {...field}
      type="tel"
      prefix="+91"
      value={value}
      onChange={(event) => onChange(digitsOnly(event.target.value))}
    />
  );
}
