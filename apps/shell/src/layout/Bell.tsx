import { useTexts } from '@karaar/i18n';
import { badgeCount, Icon } from '@karaar/ui';
import { Link } from 'react-router';
import { useUnreadNotifications } from '../session/polls.ts';
import css from './bell.module.css';
import { layoutTexts } from './texts.ts';

/** The link to the notifications, with the number of unread ones. */
export function Bell() {
  const t = useTexts(layoutTexts);
  const unread = useUnreadNotifications();
  const label = unread > 0 ? t('notificationsUnread', { count: badgeCount(unread) }) : t('notifications');
  return (
    <Link to="/notifications" className={css.bell} aria-label={label} title={label}>
      <Icon name="bell" size={22} />
      {unread > 0 && (
        <span className={css.count} aria-hidden="true">
          {badgeCount(unread)}
        </span>
      )}
    </Link>
  );
}
