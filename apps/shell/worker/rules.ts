/** What the service worker does with a request. Pure; sw.ts acts on it. */

/**
 * `page` – the shell's document, whatever path asks for it: network, else the last one seen.
 * `entry` – a small file whose name stays while its content changes: network, else the last one seen.
 * `file` – a file with its content's hash in its name: the cache, else the network.
 * null – none of the worker's business: above all every call of the API, of which nothing is ever kept.
 */
export type Treatment = 'page' | 'entry' | 'file' | null;

/** Paths that are not pages of the app: data, files of users, the sandboxes of a development machine. */
const FOREIGN = /^\/(api|files|dev|healthz|readyz|metrics|socket\.io)(\/|$)/;
const HASHED = /\.[0-9a-f]{8,}\.(m?js|css|woff2|svg|png|json|wasm|tflite)$/;
const ENTRIES = /^\/(config\.json|(start|checkout)\.js|manifest\.webmanifest|icon[\w-]*\.(svg|png))$/;

export type Asked = { method: string; url: string; navigates: boolean };

/** @param origin the worker's own */
export function treat({ method, url, navigates }: Asked, origin: string): Treatment {
  const { origin: theirs, pathname } = new URL(url);
  if (method !== 'GET' || theirs !== origin || FOREIGN.test(pathname)) return null;
  if (navigates) return pathname.slice(pathname.lastIndexOf('/')).includes('.') ? null : 'page';
  if (HASHED.test(pathname)) return 'file';
  return ENTRIES.test(pathname) ? 'entry' : null;
}

/** Under which address a treated request is kept: one document for all paths, entries without their query. */
export function keptAs(url: string, treatment: Exclude<Treatment, null>): string {
  const { origin, pathname } = new URL(url);
  return treatment === 'page' ? `${origin}/` : `${origin}${pathname}`;
}
