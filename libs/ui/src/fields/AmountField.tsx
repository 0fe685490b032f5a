import { TextField } from '@karaar/ui';
import type { ComponentProps } from 'react';

type AmountFieldProps = { value: string; onChange: (typed: string) => void } & Omit<
  ComponentProps<typeof TextField>,
  'value' | 'onChange' | 'type' | 'inputMode' | 'prefix'
>;

/**
 * An amount in rupees as it is typed: ₹500, 1,00,000, 500/- and ५०० stay in the field, and `readAmount` reads them. A field
 * of the browser's own for numbers takes none of them: letters vanish while they are typed.
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
