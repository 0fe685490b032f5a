import type { ComponentPropsWithRef } from 'react';
import { Button, IconButton } from '../controls/Button.tsx';
import type { IconName } from '../icons/Icon.tsx';

export type MenuItem = {
  label: string;
  icon?: IconName;
  onChoose: () => void;
  /** For refusing and removing. */
  reject?: boolean;
  disabled?: boolean;
};

export type MenuProps = {
  label: string;
  items: readonly MenuItem[];
  /** Shows the label with an arrow; otherwise only an icon (three dots by default). */
  text?: boolean;
  icon?: IconName;
};

/** The button that opens a menu. */
export function MenuButton(
  props: Pick<MenuProps, 'label' | 'text' | 'icon'> & ComponentPropsWithRef<'button'>,
) {
  const { label, text, icon, items: _items, ...rest } = props as MenuProps & ComponentPropsWithRef<'button'>;
  return text ? (
    <Button compact icon={icon ?? 'down'} aria-haspopup="menu" {...rest}>
      {label}
    </Button>
  ) : (
    <IconButton icon={icon ?? 'more'} label={label} aria-haspopup="menu" {...rest} />
  );
}
