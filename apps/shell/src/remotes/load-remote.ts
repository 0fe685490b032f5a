import { allowScriptOrigins, trustedScriptUrl } from '@karaar/api-client';
import type { RouteObject } from 'react-router';
import { loadConfig, type RemoteAddress } from './config.ts';

/** Milliseconds after which a remote counts as unreachable. */
const DEADLINE_MS = 15_000;

/** What a remote's entry leaves behind (webpack's container interface). */
type Container = {
  init: (shareScope: object) => Promise<void> | void;
  get: (exposed: string) => Promise<() => { routes?: unknown }>;
};

declare global {
  interface Window {
    karaarRemotes?: Record<string, Container>;
  }
}
declare const __webpack_init_sharing__: (scope: 'default') => Promise<void>;
declare const __webpack_share_scopes__: { default: object };

const attempts = new Map<string, number>();

/** The entry's address; a further attempt asks anew instead of getting the failed one again. */
function entryAddress(url: string, attempt: number): string {
  const address = new URL(url, location.origin);
  if (attempt > 0) address.searchParams.set('attempt', `${Date.now()}`);
  return address.href;
}

/** Runs a remote's entry. The browser refuses one whose content is not what the configuration says. */
function runEntry({ url, integrity }: RemoteAddress, attempt: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trustedScriptUrl(entryAddress(url, attempt));
    script.async = true;
    // As the page's early fetch of it was made, which is thrown away otherwise.
    if (new URL(script.src).origin !== location.origin) script.crossOrigin = 'anonymous';
    if (integrity) script.integrity = integrity;
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      script.remove();
      settle();
    };
    const fail = end(() => reject(new Error(`${url} could not be loaded`)));
    const timer = setTimeout(fail, DEADLINE_MS);
    script.addEventListener('load', end(resolve));
    script.addEventListener('error', fail);
    document.head.append(script);
  });
}

const timeout = (ms: number) =>
  new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`No answer in ${ms} ms`)), ms));

/** The container of a remote, with its entry run once however often it is asked for. */
async function container(name: string): Promise<Container> {
  const there = window.karaarRemotes?.[name];
  if (there) return there;
  const attempt = attempts.get(name) ?? 0;
  attempts.set(name, attempt + 1);
  const { remotes, scriptOrigins } = await loadConfig();
  const address = remotes[name];
  if (!address) throw new Error(`No address for the remote "${name}"`);
  allowScriptOrigins(scriptOrigins);
  await runEntry(address, attempt);
  const arrived = window.karaarRemotes?.[name];
  if (!arrived) throw new Error(`${address.url} is not the entry of the remote "${name}"`);
  return arrived;
}

/**
 * Loads the screens of a remote.
 * @throws when its address is not configured, it cannot be reached in time, or it is not what it should be
 */
export async function loadRoutes(name: string): Promise<RouteObject[]> {
  const remote = await container(name);
  await __webpack_init_sharing__('default');
  await remote.init(__webpack_share_scopes__.default);
  const factory = await Promise.race([remote.get('./routes'), timeout(DEADLINE_MS)]);
  const { routes } = factory();
  if (!Array.isArray(routes)) throw new Error(`The remote "${name}" exposes no routes`);
  return routes as RouteObject[];
}
