import { Icon, type IconName } from '@karaar/ui';
import { Link } from 'react-router';
import css from './dashboard.module.css';
import { dashboardTexts as texts } from './texts.ts';

const tiles: readonly { to: string; icon: IconName; label: string; note: string }[] = [
  { to: '/chat', icon: 'chat', label: texts.chat, note: texts.chatNote },
  { to: '/wallet', icon: 'wallet', label: texts.wallet, note: texts.walletNote },
  { to: '/profile', icon: 'person', label: texts.profile, note: texts.profileNote },
];

/** Tiles to what belongs to the documents. */
export function Shortcuts() {
  return (
    <ul className={css.tiles} aria-label={texts.shortcuts}>
      {tiles.map(({ to, icon, label, note }) => (
        <li key={to}>
          <Link to={to} className={css.tile}>
            <Icon name={icon} size={22} />
            <span className={css.tileText}>
              <span className={css.tileLabel}>{label}</span>
              <span className={css.tileNote}>{note}</span>
            </span>
            <Icon name="arrowRight" size={18} className={css.tileArrow} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
