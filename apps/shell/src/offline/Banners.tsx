import { connection, serverClock } from '@karaar/api-client';
import { screen, useTexts } from '@karaar/i18n';
import { Icon, LoadBoundary, TextButton } from '@karaar/ui';
import { useQueryClient } from '@tanstack/react-query';
import {
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import { keyWatchTexts } from '../key-watch/texts.ts';
import { announce } from '../navigation/announce.ts';
import { whenQuiet } from '../navigation/when-quiet.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { isClockBehind, lengthInWords } from './clock.ts';
import css from './banners.module.css';
import { offlineTexts } from './texts.ts';
import { isNewer, laterThen, onVersion } from './version.ts';

const KeyWatch = screen(() => import('../key-watch/KeyWatch.tsx'), [keyWatchTexts]);

/** Milliseconds between two requests that check whether the product is reachable again. */
const PROBE_MS = 4_000;

/** Requests a small file past every cache: any response means that the product is reachable. */
function probe(): void {
  fetch('/config.json', { method: 'HEAD', cache: 'no-store' }).then(connection.answered, connection.lost);
}

/** Shows banners about a lost connection and a newer version, at the lower edge, so that nothing moves. */
export function Banners() {
  const online = useSyncExternalStore(connection.subscribe, connection.isOnline);
  const newer = useSyncExternalStore(onVersion, isNewer);
  useEffect(() => {
    // With a worker the page may come from the cache without a request.
    if (navigator.serviceWorker?.controller) probe();
  }, []);
  const box = useRoomBelow();
  return (
    <div className={css.banners} data-print="off" ref={box}>
      <div role="status">{!online && <OfflineBanner />}</div>
      <div role="status">{online && newer && <VersionBanner />}</div>
      <div role="status">{online && <StorageBanner />}</div>
      <div role="status">{online && <ClockBanner />}</div>
      <BackOnline online={online} />
      <div role="alert">
        <KeyWatchLater />
      </div>
    </div>
  );
}

/** Milliseconds from a page's start until it may check the log: verifying signatures blocks a slow phone. */
const KEY_WATCH_MS = 12_000;

/** Loads the check of the user's passkeys once the page has its own data. */
function KeyWatchLater() {
  const { user } = useSession();
  const userId = user?.user_id;
  const queries = useQueryClient();
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    if (userId === undefined) return undefined;
    let callOff: (() => void) | undefined;
    const load = () => {
      // After a failed load the next start of the page retries.
      KeyWatch.preload().then(
        () => setThere(true),
        () => undefined,
      );
    };
    const timer = setTimeout(() => (callOff = whenQuiet(queries, load)), KEY_WATCH_MS);
    return () => {
      clearTimeout(timer);
      callOff?.();
    };
  }, [queries, userId]);
  if (!isThere || userId === undefined) return null;
  return (
    <LoadBoundary>
      <Suspense fallback={null}>
        <KeyWatch userId={userId} />
      </Suspense>
    </LoadBoundary>
  );
}

/** Pixels between the banners and a sheet. */
const GAP = 8;

/** Publishes the height of the banners to the sheets of phones, whose buttons are at the lower edge too. */
function useRoomBelow(): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      const height = entry?.contentRect.height ?? 0;
      const top = box.current?.getBoundingClientRect().top ?? 0;
      const room = height === 0 ? 0 : Math.ceil(window.innerHeight - top) + GAP;
      document.documentElement.style.setProperty('--k-banners', `${room}px`);
    });
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return box;
}

function OfflineBanner() {
  const t = useTexts(offlineTexts);
  const isMissing = useMissing();
  const [isBehind, setBehind] = useState(false);
  useEffect(() => void isClockBehind().then(setBehind), []);
  useEffect(() => {
    const timer = setInterval(probe, PROBE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className={css.banner} data-tone="waiting">
      <Icon name="alert" />
      <span>{`${isMissing ? `${t('notOnDevice')} ` : ''}${t(isBehind ? 'offlineByClock' : 'offline')}`}</span>
    </p>
  );
}

/** Returns true while the page lacks an answer: without this it would show its placeholder only. */
function useMissing(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => cache.findAll({ type: 'active' }).some(({ state }) => state.data === undefined),
  );
}

/** Reloads data after the outage, because it may be stale, and announces the connection. */
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

/** Warns once if the browser stores nothing (start/storage.ts). */
function StorageBanner() {
  const t = useTexts(offlineTexts);
  const [isHidden, setHidden] = useState(() => document.documentElement.dataset['storage'] !== 'page');
  if (isHidden) return null;
  return (
    <p className={css.banner} data-tone="waiting">
      <Icon name="alert" />
      <span>{t('noStorage')}</span>
      <TextButton onClick={() => setHidden(true)}>{t('understood')}</TextButton>
    </p>
  );
}

/** Warns once if the device's clock is wrong: dates from the device would differ from those of Karaar. */
function ClockBanner() {
  const t = useTexts(offlineTexts);
  const wrongBy = useSyncExternalStore(serverClock.subscribe, serverClock.wrongBy);
  const [isHidden, setHidden] = useState(false);
  if (wrongBy === 0 || isHidden) return null;
  return (
    <p className={css.banner} data-tone="waiting">
      <Icon name="clock" />
      <span>{t('wrongClock', { difference: lengthInWords(wrongBy) })}</span>
      <TextButton onClick={() => setHidden(true)}>{t('understood')}</TextButton>
    </p>
  );
}

function VersionBanner() {
  const t = useTexts(offlineTexts);
  return (
    <p className={css.banner}>
      <Icon name="refresh" />
      <span>{t('newVersion')}</span>
      <TextButton onClick={() => location.reload()}>{t('load')}</TextButton>
      <TextButton onClick={laterThen}>{t('later')}</TextButton>
    </p>
  );
}
