import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react';
import { Icon, type IconName } from '../icons/Icon.tsx';
import css from './side-nav.module.css';

/** The links of the sidebar and of the drawer. */
export function SideNav({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={css.nav} aria-label={label}>
      {children}
    </nav>
  );
}

type GroupProps = {
  title?: string;
  children: ReactNode;
};

/** A group of {@link NavItem}s. */
export function NavGroup({ title, children }: GroupProps) {
  return (
    <>
      {title && <p className={css.title}>{title}</p>}
      <ul className={css.list}>{children}</ul>
    </>
  );
}

type Own<E extends ElementType> = {
  /** The router's link. */
  as: E;
  icon: IconName;
  current: boolean;
  /** A number at the end. */
  extra?: ReactNode;
  children: ReactNode;
};

/** A link of the navigation. */
export function NavItem<E extends ElementType>(props: Own<E> & Omit<ComponentPropsWithRef<E>, keyof Own<E>>) {
  const { as: Element, icon, current, extra, children, ...rest } = props;
  const Link: ElementType = Element;
  return (
    <li>
      <Link {...rest} className={css.item} aria-current={current ? 'page' : undefined}>
        <Icon name={icon} />
        <span className={css.text}>{children}</span>
        {extra}
      </Link>
    </li>
  );
}

/** The logout button at the bottom. */
export function NavOut({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <button type="button" className={`${css.item} ${css.out}`} onClick={onPress}>
      <Icon name="logout" />
      <span>{children}</span>
    </button>
  );
}
