import type { SessionUser } from '@karaar/api-client';
import { CodeText, coins, Icon, userName } from '@karaar/ui';
import { Link } from 'react-router';
import { layoutTexts as texts } from './texts.ts';
import css from './topbar.module.css';

/** Who you are, your id, your coins, and what your profile still lacks. */
export function TopBar({ user, balance }: { user: SessionUser; balance: number | undefined }) {
  const { isComplete, completionPercentage } = user.profile;
  return (
    <div className={css.bar}>
      <div className={css.who}>
        <p className={css.welcome}>{texts.welcome(userName(user.name))}</p>
        <p className={css.email}>{user.email}</p>
      </div>
      {!isComplete && (
        <Link to="/profile" className={css.pill}>
          {texts.incomplete(completionPercentage)}
        </Link>
      )}
      <div className={css.id}>
        <CodeText code={user.char_id} label={texts.yourId} />
      </div>
      {balance !== undefined && (
        <Link to="/wallet" className={css.coins}>
          <Icon name="coins" />
          <span>
            {coins(balance)} <span className={css.unit}>{texts.coins}</span>
          </span>
        </Link>
      )}
    </div>
  );
}
