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
  /** The button's name. */
  label: string;
  items: readonly MenuItem[];
  /** Shows the label beside an arrow; otherwise only an icon (three dots unless given). */
  text?: boolean;
  icon?: IconName;
};

/** What opens a menu. */
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
