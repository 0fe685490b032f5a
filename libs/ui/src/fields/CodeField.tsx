import { TextField } from '@karaar/ui';
import type { ClipboardEvent, ComponentProps } from 'react';
import { CODE_LENGTH, codeOnly } from './clean.ts';

type CodeFieldProps = { value: string; onChange: (code: string) => void } & Omit<
  ComponentProps<typeof TextField>,
  'value' | 'onChange' | 'type' | 'code' | 'maxLength'
>;

/** A document code or user ID: 8 characters in capitals, accepted with or without a gap. */
export function CodeField({ value, onChange, ...field }: CodeFieldProps) {
  /** The browser would truncate a pasted `7K3M 9QXA` before the blank is removed. */
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const [before, after] = [value.slice(0, selectionStart ?? 0), value.slice(selectionEnd ?? value.length)];
    onChange(codeOnly(before + event.clipboardData.getData('text') + after));
  };
  return (
    <TextField
      autoCapitalize="characters"
      autoComplete="off"
      spellCheck={false}
      {...field}
      code
      maxLength={CODE_LENGTH}
      value={value}
      onChange={(event) => onChange(codeOnly(event.target.value))}
      onPaste={paste}
    />
  );
}
