import { FieldFrame, fieldNotes, type FieldText } from '@karaar/ui';
import { useId, useState, type ComponentPropsWithRef } from 'react';
import { otpOnly } from './clean.ts';
import css from './fields.module.css';

type OtpFieldProps = FieldText & {
  value: string;
  onChange: (code: string) => void;
  length?: number;
  /** Called when the code is complete by typing, pasting or autofill. */
  onComplete?: (code: string) => void;
} & Omit<ComponentPropsWithRef<'input'>, 'value' | 'onChange' | 'type' | 'prefix'>;

/**
 * A one-time code: one input (so that paste, autofill and screen readers work), drawn as one cell per
 * character.
 */
export function OtpField(props: OtpFieldProps) {
  const { label, hint, error, value, onChange, length = 6, onComplete, ...input } = props;
  const own = useId();
  const id = input.id ?? own;
  const [focused, setFocused] = useState(false);
  const at = Math.min(value.length, length - 1);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} required={input.required}>
      <div className={css.otp} data-invalid={error ? true : undefined}>
        <input
          autoComplete="one-time-code"
          inputMode="text"
          autoCapitalize="characters"
          spellCheck={false}
          {...input}
          {...fieldNotes(id, { hint, error })}
          value={value}
          onChange={(event) => {
            const code = otpOnly(event.target.value, length);
            onChange(code);
            if (code.length === length && code !== value) onComplete?.(code);
          }}
          onFocus={(event) => {
            setFocused(true);
            input.onFocus?.(event);
          }}
          onBlur={(event) => {
            setFocused(false);
            input.onBlur?.(event);
          }}
          className={css.otpInput}
        />
        <div className={css.otpCells} aria-hidden="true">
          {Array.from({ length }, (_, cell) => (
            <span key={cell} className={css.otpCell} data-here={(focused && cell === at) || undefined}>
              {value[cell] ?? ''}
            </span>
          ))}
        </div>
      </div>
    </FieldFrame>
  );
}
