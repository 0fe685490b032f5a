import { loadRemote, registerRemotes } from '@module-federation/enhanced/runtime';
import type { RouteObject } from 'react-router';
import { loadConfig } from './config.ts';

/** Milliseconds after which a remote counts as unreachable. */
const DEADLINE_MS = 15_000;

const attempts = new Map<string, number>();

/** The entry's address; a further attempt asks anew instead of getting the failed one again. */
function entryAddress(url: string, attempt: number): string {
  const address = new URL(url, location.origin);
  if (attempt > 0) address.searchParams.set('attempt', `${Date.now()}`);
  return address.href;
}

const timeout = (ms: number) =>
  new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`No answer in ${ms} ms`)), ms));

/**
 * Loads the screens of a remote.
 * @throws when its address is not configured, it cannot be reached in time, or it is not what it should be
 */
export async function loadRoutes(name: string): Promise<RouteObject[]> {
  const attempt = attempts.get(name) ?? 0;
  attempts.set(name, attempt + 1);
  const { remotes } = await loadConfig();
  const url = remotes[name];
  if (!url) throw new Error(`No address for the remote "${name}"`);
  registerRemotes([{ name, entry: entryAddress(url, attempt) }], { force: attempt > 0 });
  const module = await Promise.race([
    loadRemote<{ routes: RouteObject[] }>(`${name}/routes`),
    timeout(DEADLINE_MS),
  ]);
  if (!Array.isArray(module?.routes)) throw new Error(`The remote "${name}" exposes no routes`);
  return module.routes;
}
