/**
 * Pages take the URL of a script, a worker or a service worker only from a Trusted Types policy (gateway:
 * `require-trusted-types-for 'script'`). This policy is for URLs in our code; webpack's policy covers the
 * chunks of each build.
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

/** Allows scripts from these origins besides our own: those in /config.json. */
export function allowScriptOrigins(more: readonly string[]): void {
  for (const origin of more) origins.add(origin);
}

/** @throws TypeError for a URL that is not HTTP from our or an allowed origin */
function check(url: string): string {
  const { protocol, origin, href } = new URL(url, location.href);
  const known = origin === location.origin || origins.has(origin);
  if (!known || !/^https?:$/.test(protocol)) throw new TypeError(`Scripts are not loaded from ${origin}`);
  return href;
}

let policy: Policy | undefined;

/**
 * Returns a URL for `script.src`, `new Worker` and `serviceWorker.register`.
 * @throws TypeError for a forbidden origin
 */
export function trustedScriptUrl(url: string): string {
  policy ??= window.trustedTypes?.createPolicy('karaar', { createScriptURL: check });
  // A TrustedScriptURL in browsers with that type; the DOM typings treat it as a string.
  return policy ? policy.createScriptURL(url) : check(url);
}
