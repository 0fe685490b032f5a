import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react';
import { Icon, type IconName } from '../icons/Icon.tsx';
import css from './controls.module.css';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'reject';

type Own<E extends ElementType> = {
  /** Another element with a button's style, for example the router's Link. */
  as?: E;
  variant?: ButtonVariant;
  icon?: IconName;
  /** Busy: disabled and announced. The label stays, so that the button keeps its name and width. */
  loading?: boolean;
  wide?: boolean;
  compact?: boolean;
  children: ReactNode;
};

export type ButtonProps<E extends ElementType = 'button'> = Own<E> &
  Omit<ComponentPropsWithRef<E>, keyof Own<E>>;

const names = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join(' ');

/** A button: one primary per view; `reject` only for refusing and removing. */
export function Button<E extends ElementType = 'button'>(props: ButtonProps<E>) {
  const { as, variant = 'secondary', icon, loading, wide, compact, children, className, ...rest } = props;
  const Element: ElementType = as ?? 'button';
  const own =
    Element === 'button' ? { type: 'button', ...rest, disabled: rest['disabled'] || loading } : rest;
  return (
    <Element
      {...own}
      aria-busy={loading || undefined}
      className={names(
        css.button,
        css[variant],
        wide && css.wide,
        compact && css.compact,
        className as string,
      )}
    >
      {loading ? (
        <span className={css.spinner} aria-hidden="true" />
      ) : (
        icon && <Icon name={icon} size={compact ? 18 : 20} />
      )}
      <span className={css.buttonLabel}>{children}</span>
    </Element>
  );
}

/** A round button with an icon only; `label` is its name and its tooltip. */
export function IconButton(props: { icon: IconName; label: string } & ComponentPropsWithRef<'button'>) {
  const { icon, label, className, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={names(css.iconButton, className)}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A button that looks like text, inside a sentence or a field. */
export function TextButton({ className, ...rest }: ComponentPropsWithRef<'button'>) {
  return <button type="button" {...rest} className={names(css.textButton, className)} />;
}
