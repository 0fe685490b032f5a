import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react';
import { Icon, type IconName } from '../icons/Icon.tsx';
import css from './frame.module.css';

/** The tab bar of phones; its children are {@link BottomLink}s. Wider windows have the sidebar. */
export function BottomBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={css.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

type Own<E extends ElementType> = {
  /** The router's link. */
  as: E;
  icon: IconName;
  current: boolean;
  /** A count at the icon. */
  extra?: ReactNode;
  children: ReactNode;
};

/** A link in the tab bar. */
export function BottomLink<E extends ElementType>(
  props: Own<E> & Omit<ComponentPropsWithRef<E>, keyof Own<E>>,
) {
  const { as: Element, icon, current, extra, children, ...rest } = props;
  const Link: ElementType = Element;
  return (
    <Link {...rest} className={css.tab} aria-current={current ? 'page' : undefined}>
      <Icon name={icon} size={22} />
      <span className={css.tabName}>{children}</span>
      {extra && <span className={css.tabExtra}>{extra}</span>}
    </Link>
  );
}
