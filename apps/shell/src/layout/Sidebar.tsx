import { useTexts } from '@karaar/i18n';
import { badgeCount, coins, NavGroup, NavItem, NavOut, SideNav } from '@karaar/ui';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useBalance, useUnread } from '../session/polls.ts';
import { helpNav, isActive, mainNav, type NavEntry } from './navigation.ts';
import css from './sidebar.module.css';
import { layoutTexts } from './texts.ts';

type SidebarProps = {
  onChoose: (entry: NavEntry) => void;
  onLogout: () => void;
};

export function Sidebar({ onChoose, onLogout }: SidebarProps) {
  const t = useTexts(layoutTexts);
  const { pathname } = useLocation();
  const extras: Record<string, ReactNode> = { '/chat': <UnreadBadge />, '/wallet': <Balance /> };
  const link = (entry: NavEntry) => (
    <NavItem
      key={entry.to}
      as={Link}
      to={entry.to}
      icon={entry.icon}
      current={isActive(entry.to, pathname)}
      extra={extras[entry.to]}
      onClick={() => onChoose(entry)}
    >
      {t(entry.label)}
    </NavItem>
  );
  return (
    <SideNav label={t('navigation')}>
      <NavGroup>{mainNav.map(link)}</NavGroup>
      <NavGroup title={t('help')}>{helpNav.map(link)}</NavGroup>
      <NavOut onPress={onLogout}>{t('logout')}</NavOut>
    </SideNav>
  );
}

/** The number of unread messages; renders nothing for 0. */
export function UnreadBadge() {
  const t = useTexts(layoutTexts);
  const count = useUnread();
  const text = badgeCount(count);
  if (!text) return null;
  return (
    <span className={css.badge}>
      <span aria-hidden="true">{text}</span>
      <span className="k-hidden">{t('unread', { count })}</span>
    </span>
  );
}

function Balance() {
  const balance = useBalance();
  return balance === undefined ? null : <span className={css.amount}>{coins(balance)}</span>;
}
