import { useTexts } from '@karaar/i18n';
import { Icon } from '@karaar/ui';
import { Link, useLocation } from 'react-router';
import type { Me } from '../shared/useAdmin.ts';
import css from './layout.module.css';
import { accountNav, isActive, mainNav, opens, type NavItem } from './navigation.ts';
import { layoutTexts } from './texts.ts';

type AdminSidebarProps = { me: Me | undefined; onChoose: () => void; onSignOut: () => void };

/** The admin's links, without those that the role does not open. */
export function AdminSidebar({ me, onChoose, onSignOut }: AdminSidebarProps) {
  const t = useTexts(layoutTexts);
  const { pathname } = useLocation();
  const list = (items: readonly NavItem[]) => (
    <ul className={css.list}>
      {items
        .filter(({ to }) => me && opens(me.role, to))
        .map(({ to, icon, label }) => (
          <li key={to}>
            <Link
              to={to}
              className={css.item}
              aria-current={isActive(to, pathname) ? 'page' : undefined}
              onClick={onChoose}
            >
              <Icon name={icon} />
              {t(label)}
            </Link>
          </li>
        ))}
    </ul>
  );
  return (
    <nav className={css.nav} aria-label={t('navigation')}>
      <p className={css.heading}>{t('manage')}</p>
      {list(mainNav)}
      <p className={css.heading}>{t('account')}</p>
      {list(accountNav)}
      <button type="button" className={css.item} onClick={onSignOut}>
        <Icon name="logout" />
        {t('signOut')}
      </button>
    </nav>
  );
}
