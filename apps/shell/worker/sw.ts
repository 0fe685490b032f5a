/**
 * The service worker caches the product's files, so that it starts offline. Files are keyed by the hash in
 * their names, so a new worker can take over at once.
 */
import { keptAs, treat, type Treatment } from './rules.ts';

declare const self: ServiceWorkerGlobalScope;

const FILES = 'files-1';
const PAGES = 'pages-1';
/** The maximum number of cached files; the oldest are removed first. */
const KEPT_FILES = 400;
/** Milliseconds after which the cache is used instead of a slow network. */
const PATIENCE_MS = 4_000;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(PAGES)
      .then((pages) => pages.addAll(['/', '/config.json', '/icon.svg']))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const tidy = async () => {
    const names = await caches.keys();
    await Promise.all(
      names.filter((name) => name !== FILES && name !== PAGES).map((name) => caches.delete(name)),
    );
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const asked = { method: request.method, url: request.url, navigates: request.mode === 'navigate' };
  const treatment = treat(asked, self.location.origin);
  if (treatment === 'file') event.respondWith(fromCache(event));
  else if (treatment) event.respondWith(fromNetwork(event, treatment));
});

/** The page sends the URLs that it loaded before the worker existed. */
self.addEventListener('message', (event) => {
  const { keep } = event.data as { keep?: unknown };
  if (Array.isArray(keep)) event.waitUntil(Promise.all(keep.map((url) => keepAddress(String(url)))));
});

async function keepAddress(url: string): Promise<void> {
  const treatment = treat({ method: 'GET', url, navigates: false }, self.location.origin);
  if (!treatment) return;
  const key = keptAs(url, treatment);
  const cache = await caches.open(treatment === 'file' ? FILES : PAGES);
  if (treatment === 'file' && (await cache.match(key))) return;
  // A failed file is requested again when it is used.
  const answer = await fetch(url).catch(() => null);
  if (answer?.ok) await cache.put(key, answer);
}

/** A cache that fails, on a full or damaged disk, holds nothing; the network still answers. */
const openCache = (name: string): Promise<Cache | null> => caches.open(name).catch(() => null);
const find = async (cache: Cache | null, key: string): Promise<Response | undefined> =>
  cache?.match(key).catch(() => undefined);

async function fromCache(event: FetchEvent): Promise<Response> {
  const key = keptAs(event.request.url, 'file');
  const files = await openCache(FILES);
  const kept = await find(files, key);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.ok && files) event.waitUntil(files.put(key, answer.clone()).then(() => trim(files)));
  return answer;
}

async function trim(files: Cache): Promise<void> {
  const keys = await files.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - KEPT_FILES)).map((key) => files.delete(key)));
}

/** Returns the network's response; the cached one if it is missing, late or a server error. */
async function fromNetwork(event: FetchEvent, treatment: Exclude<Treatment, null>): Promise<Response> {
  const key = keptAs(event.request.url, treatment);
  const pages = await openCache(PAGES);
  const kept = () => find(pages, key);
  const network = askNetwork(event).then((answer) => {
    if (answer.ok && !answer.redirected && pages) event.waitUntil(pages.put(key, answer.clone()));
    return answer;
  });
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
  try {
    const answer = await Promise.race([network, late]);
    if (answer && answer.status < 500) return answer;
    return (await kept()) ?? answer ?? (await network);
  } catch (error) {
    const found = await kept();
    if (found) return found;
    throw error;
  }
}

async function askNetwork(event: FetchEvent): Promise<Response> {
  const preloaded = (await event.preloadResponse) as Response | undefined;
  return preloaded ?? fetch(event.request);
}
