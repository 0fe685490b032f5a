import { Menu as BaseMenu } from '@mantine/core';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import { Icon } from '../icons/Icon.tsx';
import { MenuButton, type MenuProps } from './MenuButton.tsx';
import { Library } from '../library/Library.tsx';
import css from './overlays.module.css';

/**
 * The menu with its list, initially open if `opened`; arrow keys move, Escape closes and returns the focus.
 */
export default function MenuPanel({ opened, ...props }: MenuProps & { opened: boolean }) {
  return (
    <Library>
      <BaseMenu
        defaultOpened={opened}
        position="bottom-end"
        offset={6}
        transitionProps={{ transition: 'fade', duration: 120 }}
        classNames={{ dropdown: css.list, item: css.item }}
      >
        <BaseMenu.Target>
          <MenuButton {...props} />
        </BaseMenu.Target>
        <BaseMenu.Dropdown>
          {props.items.map((item) => (
            <BaseMenu.Item
              key={item.label}
              onClick={item.onChoose}
              disabled={item.disabled ?? false}
              leftSection={item.icon && <Icon name={item.icon} size={18} />}
              mod={{ reject: item.reject ?? false }}
            >
              {item.label}
            </BaseMenu.Item>
          ))}
        </BaseMenu.Dropdown>
      </BaseMenu>
    </Library>
  );
}
