/**
 * The page takes the address of a script, a worker or a service worker from a Trusted Types policy only (gateway:
 * `require-trusted-types-for 'script'`). This is the one for addresses that the code writes itself; each build's own
 * chunks have the policy that webpack makes.
 */

type Policy = { createScriptURL: (url: string) => string };
type TrustedTypes = {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => Policy;
};
declare global {
  interface Window {
    trustedTypes?: TrustedTypes;
  }
}

const origins = new Set<string>();

/** Lets scripts come from these origins besides our own: what /config.json names. */
export function allowScriptOrigins(more: readonly string[]): void {
  for (const origin of more) origins.add(origin);
}

/** @throws TypeError for what is not served over HTTP by us or an origin that was allowed */
function check(url: string): string {
  const { protocol, origin, href } = new URL(url, location.href);
  const known = origin === location.origin || origins.has(origin);
  if (!known || !/^https?:$/.test(protocol)) throw new TypeError(`Scripts are not loaded from ${origin}`);
  return href;
}

let policy: Policy | undefined;

/**
 * An address as `script.src`, `new Worker` and `serviceWorker.register` take it.
 * @throws TypeError when scripts may not come from there
 */
export function trustedScriptUrl(url: string): string {
  policy ??= window.trustedTypes?.createPolicy('karaar', { createScriptURL: check });
  // A TrustedScriptURL where the browser knows the type; DOM typings take it for the text that it holds.
  return policy ? policy.createScriptURL(url) : check(url);
}
