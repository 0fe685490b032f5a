/** The rules of the service worker for requests. Pure; sw.ts applies them. */

/**
 * `page` – the shell's document for any path: network, else the cached one. `entry` – a small file whose
 * content changes under one name: network, else the cached one. `file` – a file with a content hash in its
 * name: the cache, else the network. null – not handled by the worker: above all API requests, which are
 * never cached.
 */
export type Treatment = 'page' | 'entry' | 'file' | null;

/** Paths that are not pages of the app: data, user files, development tools. */
const FOREIGN = /^\/(api|files|dev|healthz|readyz|metrics|socket\.io)(\/|$)/;
const HASHED = /\.[0-9a-f]{8,}\.(m?js|css|woff2|svg|png|json|wasm|tflite)$/;
const ENTRIES = /^\/(config\.json|(start|checkout)\.js|manifest\.webmanifest|icon[\w-]*\.(svg|png))$/;

export type Asked = { method: string; url: string; navigates: boolean };

/** @param origin of the worker */
export function treat({ method, url, navigates }: Asked, origin: string): Treatment {
  const { origin: theirs, pathname } = new URL(url);
  if (method !== 'GET' || theirs !== origin || FOREIGN.test(pathname)) return null;
  if (navigates) return pathname.slice(pathname.lastIndexOf('/')).includes('.') ? null : 'page';
  if (HASHED.test(pathname)) return 'file';
  return ENTRIES.test(pathname) ? 'entry' : null;
}

/** Returns the cache key of a request: one document for all paths, entries without their query. */
export function keptAs(url: string, treatment: Exclude<Treatment, null>): string {
  const { origin, pathname } = new URL(url);
  return treatment === 'page' ? `${origin}/` : `${origin}${pathname}`;
}
