import { useTexts } from '@karaar/i18n';
import { useId, type ComponentPropsWithRef, type ReactNode } from 'react';
import { Icon } from '../icons/Icon.tsx';
import { uiTexts } from '../texts.ts';
import css from './controls.module.css';

type FieldText = {
  label: string;
  /** One line below the field that says what to enter. */
  hint?: ReactNode | undefined;
  /** What is wrong and what to do; marks the field as invalid. */
  error?: string | undefined;
};

type FrameProps = FieldText & {
  id: string;
  /** For screen readers only: where an icon and the placeholder say the same. */
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
        {required === false && <span className={css.optional}> {t('optional')}</span>}
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
  /** Fixed text or an icon before the value, e.g. +91. */
  prefix?: ReactNode;
  /** An action at the end of the field. */
  action?: ReactNode;
  /** Codes and ids: monospaced, wide. */
  code?: boolean;
  hideLabel?: boolean;
} & Omit<ComponentPropsWithRef<'input'>, 'prefix'>;

/** A labelled input. `required={false}` says "(optional)" beside the label. */
export function TextField(props: TextFieldProps) {
  const { label, hideLabel, hint, error, prefix, action, code, ...input } = props;
  const own = useId();
  const id = input.id ?? own;
  return (
    <Frame id={id} label={label} hideLabel={hideLabel} hint={hint} error={error} required={input.required}>
      <div className={css.control} data-invalid={error ? true : undefined}>
        {prefix && <span className={css.prefix}>{prefix}</span>}
        <input
          // Blanks alone fill nothing in.
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

/** A labelled text of several lines. */
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
  /** What is sent and how it is named. */
  options: readonly { value: string; label: string }[];
  placeholder: string;
} & ComponentPropsWithRef<'select'>;

/** A labelled choice of one; the device's own picker, which is the best one on a phone. */
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
