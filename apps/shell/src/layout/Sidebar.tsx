import { badgeCount, coins, Icon } from '@karaar/ui';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { helpNav, isActive, mainNav, type NavItem } from './navigation.ts';
import css from './sidebar.module.css';
import { layoutTexts as texts } from './texts.ts';

type SidebarProps = {
  unread: number;
  balance: number | undefined;
  onChoose: (item: NavItem) => void;
  onLogout: () => void;
};

/** The navigation: links, unread badge, balance, logout. */
export function Sidebar({ unread, balance, onChoose, onLogout }: SidebarProps) {
  const extras: Record<string, ReactNode> = {
    '/chat': <UnreadBadge count={unread} />,
    '/wallet': balance === undefined ? null : <span className={css.amount}>{coins(balance)}</span>,
  };
  const list = (items: readonly NavItem[]) => (
    <ul className={css.list}>
      {items.map((item) => (
        <NavEntry key={item.to} item={item} extra={extras[item.to]} onChoose={onChoose} />
      ))}
    </ul>
  );
  return (
    <nav className={css.nav} aria-label={texts.navigation}>
      {list(mainNav)}
      <p className={css.heading}>{texts.help}</p>
      {list(helpNav)}
      <button type="button" className={css.logout} onClick={onLogout}>
        <Icon name="logout" />
        {texts.logout}
      </button>
    </nav>
  );
}

type NavEntryProps = { item: NavItem; extra: ReactNode; onChoose: (item: NavItem) => void };

function NavEntry({ item, extra, onChoose }: NavEntryProps) {
  const { pathname } = useLocation();
  return (
    <li>
      <Link
        to={item.to}
        className={css.link}
        aria-current={isActive(item.to, pathname) ? 'page' : undefined}
        onClick={() => onChoose(item)}
      >
        <Icon name={item.icon} />
        <span className={css.label}>{item.label}</span>
        {extra}
      </Link>
    </li>
  );
}

function UnreadBadge({ count }: { count: number }) {
  const text = badgeCount(count);
  if (!text) return null;
  return (
    <span className={css.badge}>
      <span aria-hidden="true">{text}</span>
      <span className="k-hidden">{texts.unread(text)}</span>
    </span>
  );
}
