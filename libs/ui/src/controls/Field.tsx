import { useTexts } from '@karaar/i18n';
import { useId, type ComponentPropsWithRef, type ReactNode } from 'react';
import { Icon } from '../icons/Icon.tsx';
import { uiTexts } from '../texts.ts';
import css from './controls.module.css';

type FieldText = {
  label: string;
  hint?: ReactNode | undefined;
  /** The fault and its remedy; marks the field as invalid. */
  error?: string | undefined;
};

type FrameProps = FieldText & {
  id: string;
  /** Visible to screen readers only: if an icon and the placeholder show the same. */
  hideLabel?: boolean | undefined;
  required?: boolean | undefined;
  children: ReactNode;
};

function Frame({ id, label, hideLabel, hint, error, required, children }: FrameProps) {
  const t = useTexts(uiTexts);
  return (
    <div className={css.field}>
      <label className={hideLabel ? 'k-hidden' : css.label} htmlFor={id}>
        <span>{label}</span>
        {required === false && <span className={css.optional}>{` ${t('optional')}`}</span>}
      </label>
      {children}
      {hint && !error && (
        <p className={css.hint} id={`${id}-note`}>
          {hint}
        </p>
      )}
      {error && (
        <p className={css.fieldError} id={`${id}-note`}>
          {error}
        </p>
      )}
    </div>
  );
}

const noted = (id: string, { hint, error }: Pick<FieldText, 'hint' | 'error'>) => ({
  id,
  'aria-describedby': hint || error ? `${id}-note` : undefined,
  'aria-invalid': error ? true : undefined,
});

type TextFieldProps = FieldText & {
  /** A fixed text or an icon before the value, for example +91. */
  prefix?: ReactNode;
  action?: ReactNode;
  /** Codes and ids: monospaced, wide. */
  code?: boolean;
  hideLabel?: boolean;
} & Omit<ComponentPropsWithRef<'input'>, 'prefix'>;

/** A labelled input. `required={false}` adds "(optional)" to the label. */
export function TextField(props: TextFieldProps) {
  const { label, hideLabel, hint, error, prefix, action, code, ...input } = props;
  const own = useId();
  const id = input.id ?? own;
  return (
    <Frame id={id} label={label} hideLabel={hideLabel} hint={hint} error={error} required={input.required}>
      <div className={css.control} data-invalid={error ? true : undefined}>
        {prefix && <span className={css.prefix}>{prefix}</span>}
        <input
          // Blanks alone do not count as a value.
          pattern={input.required ? '.*\\S.*' : undefined}
          {...input}
          {...noted(id, { hint, error })}
          className={`${css.input} ${code ? css.code : ''}`}
        />
        {action}
      </div>
    </Frame>
  );
}

/** A labelled input of several lines. */
export function TextArea({ label, hint, error, ...input }: FieldText & ComponentPropsWithRef<'textarea'>) {
  const own = useId();
  const id = input.id ?? own;
  return (
    <Frame id={id} label={label} hint={hint} error={error} required={input.required}>
      <div className={css.control} data-invalid={error ? true : undefined}>
        <textarea
          rows={3}
          dir="auto"
          {...input}
          {...noted(id, { hint, error })}
          className={`${css.input} ${css.area}`}
        />
      </div>
    </Frame>
  );
}

type SelectFieldProps = FieldText & {
  options: readonly { value: string; label: string }[];
  placeholder: string;
} & ComponentPropsWithRef<'select'>;

/** A labelled choice of one, with the device's own picker, which is best on a phone. */
export function SelectField({ label, hint, error, options, placeholder, ...input }: SelectFieldProps) {
  const own = useId();
  const id = input.id ?? own;
  return (
    <Frame id={id} label={label} hint={hint} error={error} required={input.required}>
      <div className={css.control} data-invalid={error ? true : undefined}>
        <select {...input} {...noted(id, { hint, error })} className={`${css.input} ${css.select}`}>
          <option value="">{placeholder}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <span className={css.arrow}>
          <Icon name="down" size={18} />
        </span>
      </div>
    </Frame>
  );
}

export { Frame as FieldFrame, noted as fieldNotes, type FieldText };
