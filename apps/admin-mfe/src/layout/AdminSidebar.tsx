import { isBelow } from '@karaar/contracts/screens';
import { useTexts } from '@karaar/i18n';
import { NavGroup, NavItem, NavOut, SideNav } from '@karaar/ui';
import { Link, useLocation } from 'react-router';
import type { Me } from '../shared/useAdmin.ts';
import { accountNav, mainNav, opens, type NavEntry } from './navigation.ts';
import { layoutTexts } from './texts.ts';

type AdminSidebarProps = { me: Me | undefined; onChoose: () => void; onSignOut: () => void };

/** The admin's links, without those that the role cannot open. */
export function AdminSidebar({ me, onChoose, onSignOut }: AdminSidebarProps) {
  const t = useTexts(layoutTexts);
  const { pathname } = useLocation();
  const links = (entries: readonly NavEntry[]) =>
    entries
      .filter(({ to }) => me && opens(me.role, to))
      .map(({ to, icon, label }) => (
        <NavItem key={to} as={Link} to={to} icon={icon} current={isBelow(to, pathname)} onClick={onChoose}>
          {t(label)}
        </NavItem>
      ));
  return (
    <SideNav label={t('navigation')}>
      <NavGroup title={t('manage')}>{links(mainNav)}</NavGroup>
      <NavGroup title={t('account')}>{links(accountNav)}</NavGroup>
      <NavOut onPress={onSignOut}>{t('signOut')}</NavOut>
    </SideNav>
  );
}
