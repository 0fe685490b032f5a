import { hasAlarm, isLookDue, lookForKeys, onWatched } from '@karaar/api-client/key-watch';
import { useTexts } from '@karaar/i18n';
import { Icon } from '@karaar/ui';
import { useEffect, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router';
import css from '../offline/banners.module.css';
import { keyWatchTexts } from './texts.ts';

/**
 * Checks the log once a day for keys of the user that this device does not know; shows a banner until the
 * user has answered.
 */
export default function KeyWatch({ userId }: { userId: string }) {
  const t = useTexts(keyWatchTexts);
  const { pathname } = useLocation();
  const alarm = useSyncExternalStore(onWatched, () => hasAlarm(userId));
  useEffect(() => {
    // A failed check is repeated after an hour, and the profile reports the failure.
    if (isLookDue(userId)) lookForKeys(userId).catch(() => undefined);
  }, [userId]);
  // The profile shows the warnings itself.
  if (!alarm || pathname === '/profile') return null;
  return (
    <p className={css.banner} data-tone="waiting">
      <Icon name="alert" />
      <span>{t('alarm')}</span>
      <Link to="/profile">{t('open')}</Link>
    </p>
  );
}
