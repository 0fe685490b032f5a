import { TextField } from '@karaar/ui';
import { useRef, type ComponentProps } from 'react';
import { digitsOnly, typedSoFar } from './clean.ts';

type PhoneFieldProps = { value: string; onChange: (digits: string) => void } & Omit<
  ComponentProps<typeof TextField>,
  'value' | 'onChange' | 'prefix' | 'type'
>;

/** An Indian phone number: the fixed +91 and 10 digits. */
export function PhoneField({ value, onChange, ...field }: PhoneFieldProps) {
  const typed = useRef('');
  const type = (next: string) => {
    typed.current = typedSoFar(digitsOnly, { before: typed.current, shown: value, next });
    onChange(digitsOnly(typed.current));
  };
  return (
    <TextField
      autoComplete="tel-national"
      inputMode="numeric"
      {...field}
      type="tel"
      prefix="+91"
      value={value}
      onChange={(event) => type(event.target.value)}
    />
  );
}
