import { useTexts } from '@karaar/i18n';
import { Icon } from '@karaar/ui';
import { Link } from 'react-router';
import css from './dashboard.module.css';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';

const tiles = [
  { to: '/chat', icon: 'chat', label: 'chat', note: 'chatNote' },
  { to: '/wallet', icon: 'wallet', label: 'wallet', note: 'walletNote' },
  { to: '/profile', icon: 'person', label: 'profile', note: 'profileNote' },
] as const;

export function Shortcuts() {
  const t = useTexts(dashboardTexts);
  return (
    <ul className={css.tiles} aria-label={t('shortcuts')}>
      {tiles.map(({ to, icon, label, note }) => (
        <li key={to}>
          <Link to={to} className={css.tile}>
            <Icon name={icon} size={22} />
            <span className={css.tileText}>
              <span className={css.tileLabel}>{t(label)}</span>
              <span className={css.tileNote}>{t(note)}</span>
            </span>
            <Icon name="arrowRight" size={18} className={css.tileArrow} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
