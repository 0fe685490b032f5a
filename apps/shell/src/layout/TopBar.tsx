import type { SessionUser } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { CodeText, coins, Icon, userName } from '@karaar/ui';
import { Link } from 'react-router';
import { useBalance } from '../session/polls.ts';
import { Bell } from './Bell.tsx';
import { layoutTexts } from './texts.ts';
import css from './topbar.module.css';

/** The user's name, ID, coins and news, and missing parts of the profile. */
export function TopBar({ user }: { user: SessionUser }) {
  const t = useTexts(layoutTexts);
  const { isComplete, completionPercentage } = user.profile;
  return (
    <div className={css.bar}>
      <div className={css.who}>
        <p className={css.welcome}>{t('welcome', { name: userName(user.name) })}</p>
        <p className={css.email}>{user.email}</p>
      </div>
      {!isComplete && (
        <Link to="/profile" className={css.pill}>
          {t('incomplete', { percent: completionPercentage })}
        </Link>
      )}
      <div className={css.id}>
        <CodeText code={user.char_id} label={t('yourId')} />
      </div>
      <Coins />
      <Bell />
    </div>
  );
}

function Coins() {
  const t = useTexts(layoutTexts);
  const balance = useBalance();
  if (balance === undefined) {
    // Its place is reserved, so that later content moves nothing.
    return (
      <span className={css.coins} data-waiting aria-hidden="true">
        <Icon name="coins" />
      </span>
    );
  }
  return (
    <Link to="/wallet" className={css.coins}>
      <Icon name="coins" />
      <span>
        <span>{`${coins(balance)} `}</span>
        <span className={css.unit}>{t('coins')}</span>
      </span>
    </Link>
  );
}
