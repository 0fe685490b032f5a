/** Starts the service worker (worker/sw.ts), so that the app can be installed and starts offline. */
import { trustedScriptUrl } from '@karaar/api-client';
import type { QueryClient } from '@tanstack/react-query';
import { whenIdle } from '../navigation/when-idle.ts';
import { prefetchScreen } from '../remotes/prefetch.ts';
import { thrifty } from '../remotes/usePrefetchOnIntent.ts';
import { withNetwork } from './with-network.ts';

const WORKER = '/sw.js';
/** Milliseconds between two checks for a new version in an open page. */
const LOOK_MS = 60 * 60_000;
/** Screens that are useful offline: sign-in and information pages. */
const STATIC_SCREENS = ['/login', '/about', '/terms'];

/**
 * Sends the URLs that the page loaded before the worker was active, while the browser still has them cached.
 */
function sendLoadedUrls(worker: ServiceWorker): void {
  const urls = performance.getEntriesByType('resource').map(({ name }) => name);
  worker.postMessage({ keep: urls.filter((url) => url.startsWith(location.origin)) });
}

/** Milliseconds after which background work begins on a page that is never idle. */
const IDLE_MS = 5_000;
/** Milliseconds between two checks whether requests are pending. */
const SETTLE_MS = 1_000;

/** Waits until no request is pending: prefetching must not compete with the page. */
async function settled(queries: QueryClient): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  while (queries.isFetching() > 0);
}

/** Resolves when the browser is idle. */
const spareMoment = () => new Promise<void>((resolve) => void whenIdle(resolve, IDLE_MS));

/** Loads the screens one by one: all at once would block a slow phone noticeably. */
async function loadStaticScreens(queries: QueryClient): Promise<void> {
  for (const path of STATIC_SCREENS) {
    await spareMoment();
    // A screen that fails to load now is loaded when it is opened.
    await prefetchScreen(queries, path).catch(() => undefined);
  }
}

/** Registers the worker when the page is idle. Without a worker everything works, except offline. */
export function startWorker(queries: QueryClient): void {
  if (!('serviceWorker' in navigator)) return;
  const start = async () => {
    const registration = await navigator.serviceWorker.register(trustedScriptUrl(WORKER));
    const look = () =>
      // Offline or unreachable: the next check retries.
      document.visibilityState === 'visible' && void registration.update().catch(() => undefined);
    setInterval(look, LOOK_MS);
    document.addEventListener('visibilitychange', look);
    const { active } = await navigator.serviceWorker.ready;
    await settled(queries);
    if (!thrifty() && navigator.onLine) await loadStaticScreens(queries);
    if (active) sendLoadedUrls(active);
  };
  const begin = () => void whenIdle(() => withNetwork(start), IDLE_MS);
  if (document.readyState === 'complete') begin();
  else window.addEventListener('load', begin, { once: true });
}
