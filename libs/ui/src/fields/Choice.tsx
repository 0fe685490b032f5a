import { Icon } from '@karaar/ui';
import { useId, type ComponentPropsWithRef, type ReactNode } from 'react';
import css from './fields.module.css';

type ChoiceProps = {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
} & Omit<ComponentPropsWithRef<'input'>, 'type' | 'checked' | 'onChange'>;

/** A checkbox; the whole line can be pressed. */
export function Checkbox(props: ChoiceProps) {
  return (
    <Choice {...props} role={undefined}>
      <span className={css.box} aria-hidden="true">
        <Icon name="tick" size={16} />
      </span>
    </Choice>
  );
}

/** A switch that applies at once. */
export function Switch(props: ChoiceProps) {
  return (
    <Choice {...props} role="switch">
      <span className={css.rail} aria-hidden="true" />
    </Choice>
  );
}

function Choice({ label, hint, onChange, children, ...input }: ChoiceProps & { children: ReactNode }) {
  const own = useId();
  const id = input.id ?? own;
  return (
    <div className={css.choice}>
      <input
        {...input}
        id={id}
        type="checkbox"
        className={css.choiceInput}
        aria-describedby={hint ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
      <div className={css.choiceText}>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-note`} className={css.choiceHint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
