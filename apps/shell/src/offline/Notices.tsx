import { connection } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Icon, TextButton } from '@karaar/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { announce } from '../navigation/announce.ts';
import css from './notices.module.css';
import { offlineTexts } from './texts.ts';
import { isNewer, laterThen, onVersion } from './version.ts';

/** Milliseconds between two tries to reach the product while it cannot be reached. */
const PROBE_MS = 4_000;

/** Asks for something small past every cache: any answer means that the product is there. */
function probe(): void {
  fetch('/config.json', { method: 'HEAD', cache: 'no-store' }).then(connection.answered, connection.lost);
}

/** Says when there is no connection, and when a newer version is there. At the lower edge: nothing moves for them. */
export function Notices() {
  const online = useSyncExternalStore(connection.subscribe, connection.isOnline);
  const newer = useSyncExternalStore(onVersion, isNewer);
  useEffect(() => {
    // With a worker the page may have come from its store, without anybody having been asked.
    if (navigator.serviceWorker?.controller) probe();
  }, []);
  return (
    <div className={css.notices} data-print="off">
      <div role="status">{!online && <OfflineNotice />}</div>
      <div role="status">{online && newer && <VersionNotice />}</div>
      <BackOnline online={online} />
    </div>
  );
}

function OfflineNotice() {
  const t = useTexts(offlineTexts);
  useEffect(() => {
    const timer = setInterval(probe, PROBE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className={css.notice} data-tone="waiting">
      <Icon name="alert" />
      <span>{t('offline')}</span>
    </p>
  );
}

/** What was shown meanwhile may be old: it is asked for again, and people are told. */
function BackOnline({ online }: { online: boolean }) {
  const t = useTexts(offlineTexts);
  const queries = useQueryClient();
  const before = useRef(online);
  useEffect(() => {
    if (online && !before.current) {
      announce(t('backOnline'));
      void queries.invalidateQueries();
    }
    before.current = online;
  }, [online, queries, t]);
  return null;
}

function VersionNotice() {
  const t = useTexts(offlineTexts);
  return (
    <p className={css.notice}>
      <Icon name="refresh" />
      <span>{t('newVersion')}</span>
      <TextButton onClick={() => location.reload()}>{t('load')}</TextButton>
      <TextButton onClick={laterThen}>{t('later')}</TextButton>
    </p>
  );
}
