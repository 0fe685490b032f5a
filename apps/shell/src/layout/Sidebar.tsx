import { useTexts } from '@karaar/i18n';
import { badgeCount, coins, Icon } from '@karaar/ui';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useBalance, useUnread } from '../session/polls.ts';
import { helpNav, isActive, mainNav, type NavItem } from './navigation.ts';
import css from './sidebar.module.css';
import { layoutTexts } from './texts.ts';

type SidebarProps = {
  onChoose: (item: NavItem) => void;
  onLogout: () => void;
};

/** The navigation: links, unread badge, balance, logout. */
export function Sidebar({ onChoose, onLogout }: SidebarProps) {
  const t = useTexts(layoutTexts);
  const extras: Record<string, ReactNode> = { '/chat': <UnreadBadge />, '/wallet': <Balance /> };
  const list = (items: readonly NavItem[]) => (
    <ul className={css.list}>
      {items.map((item) => (
        <NavEntry key={item.to} item={item} extra={extras[item.to]} onChoose={onChoose} />
      ))}
    </ul>
  );
  return (
    <nav className={css.nav} aria-label={t('navigation')}>
      {list(mainNav)}
      <p className={css.heading}>{t('help')}</p>
      {list(helpNav)}
      <button type="button" className={css.logout} onClick={onLogout}>
        <Icon name="logout" />
        {t('logout')}
      </button>
    </nav>
  );
}

type NavEntryProps = { item: NavItem; extra: ReactNode; onChoose: (item: NavItem) => void };

function NavEntry({ item, extra, onChoose }: NavEntryProps) {
  const t = useTexts(layoutTexts);
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
        <span className={css.label}>{t(item.label)}</span>
        {extra}
      </Link>
    </li>
  );
}

function UnreadBadge() {
  const t = useTexts(layoutTexts);
  const text = badgeCount(useUnread());
  if (!text) return null;
  return (
    <span className={css.badge}>
      <span aria-hidden="true">{text}</span>
      <span className="k-hidden">{t('unread', { count: text })}</span>
    </span>
  );
}

function Balance() {
  const balance = useBalance();
  return balance === undefined ? null : <span className={css.amount}>{coins(balance)}</span>;
}
