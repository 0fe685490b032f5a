/** Starts the service worker (worker/sw.ts), so that the app can be installed and starts without a network. */
import { trustedScriptUrl } from '@karaar/api-client';
import type { QueryClient } from '@tanstack/react-query';
import { prefetchScreen } from '../remotes/prefetch.ts';
import { thrifty } from '../remotes/usePrefetchOnIntent.ts';
import { withNetwork } from './with-network.ts';

const WORKER = '/sw.js';
/** Milliseconds between two looks for a new version in a page that stays open. */
const LOOK_MS = 60 * 60_000;
/** Screens that are of use without a network: sign-in, and pages that only say something. */
const STATIC_SCREENS = ['/login', '/about', '/terms'];

/** What the page had loaded before the worker could see it: the browser has it at hand still. */
function tellWhatIsLoaded(worker: ServiceWorker): void {
  const urls = performance.getEntriesByType('resource').map(({ name }) => name);
  worker.postMessage({ keep: urls.filter((url) => url.startsWith(location.origin)) });
}

/** Milliseconds between two looks whether the page has what it asked for. */
const SETTLE_MS = 1_000;

/** Waits until the page has all its answers: what is of use another time comes after what is of use now. */
async function settled(queries: QueryClient): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  while (queries.isFetching() > 0);
}

/** Until the browser has a moment to spare. */
const spareMoment = () =>
  new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5_000 }));

/** Loads the screens one by one: all in one go hold a slow phone up for as long as a tap takes to feel slow. */
async function loadStaticScreens(queries: QueryClient): Promise<void> {
  for (const path of STATIC_SCREENS) {
    await spareMoment();
    // A screen that cannot be loaded now is loaded when it is opened.
    await prefetchScreen(queries, path).catch(() => undefined);
  }
}

/** Registers the worker when the page has nothing better to do. Without one everything works, except offline. */
export function startWorker(queries: QueryClient): void {
  if (!('serviceWorker' in navigator)) return;
  const start = async () => {
    const registration = await navigator.serviceWorker.register(trustedScriptUrl(WORKER));
    const look = () =>
      // No network, or none that leads to us: the next look will tell.
      document.visibilityState === 'visible' && void registration.update().catch(() => undefined);
    setInterval(look, LOOK_MS);
    document.addEventListener('visibilitychange', look);
    const { active } = await navigator.serviceWorker.ready;
    await settled(queries);
    if (!thrifty() && navigator.onLine) await loadStaticScreens(queries);
    if (active) tellWhatIsLoaded(active);
  };
  const whenIdle = () => requestIdleCallback(() => withNetwork(start), { timeout: 5_000 });
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
