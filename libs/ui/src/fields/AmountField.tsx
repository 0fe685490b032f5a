import { TextField } from '@karaar/ui';
import type { ComponentProps } from 'react';

type AmountFieldProps = { value: string; onChange: (typed: string) => void } & Omit<
  ComponentProps<typeof TextField>,
  'value' | 'onChange' | 'type' | 'inputMode' | 'prefix'
>;

/**
 * A text field for rupees: it keeps ₹500, 1,00,000, 500/- and ५००, which `readAmount` parses. A number input
 * of the browser would drop them.
 */
export function AmountField({ onChange, ...field }: AmountFieldProps) {
  return (
    <TextField
      autoComplete="off"
      step={0.01}
      {...field}
      prefix="₹"
      inputMode="decimal"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
