import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime';
import { allowScriptOrigins } from '@karaar/api-client';
import type { RouteObject } from 'react-router';
import { checkedRemotes, type EntryState } from './checked-remotes.ts';
import { loadConfig } from './config.ts';

/** The state of each remote's entry, by its name in the federation. */
const states = new Map<string, EntryState>();
let plugged = false;

/** Registers the present address of a remote, until its entry has run. */
async function register(name: string): Promise<void> {
  if (!plugged) registerPlugins([checkedRemotes(states)]);
  plugged = true;
  const federated = `karaar_${name}`;
  const before = states.get(federated);
  if (before?.ran) return;
  const { remotes, scriptOrigins } = await loadConfig();
  const address = remotes[name];
  if (!address) throw new Error(`No address for the remote "${name}"`);
  allowScriptOrigins(scriptOrigins);
  states.set(federated, { manifest: address.integrity, attempt: (before?.attempt ?? -1) + 1, ran: false });
  // `force` after a failure discards the runtime's cached state.
  registerRemotes([{ name: federated, entry: address.url }], { force: before !== undefined });
}

/**
 * Loads the screens of a remote.
 * @throws if its address is not configured, it cannot be reached in time, its hash is wrong, or it needs a
 * version of a shared package that the shell does not have
 */
export async function loadRoutes(name: string): Promise<RouteObject[]> {
  await register(name);
  const routes = (await loadRemote<{ routes?: unknown }>(`karaar_${name}/routes`))?.routes;
  if (!Array.isArray(routes)) throw new Error(`The remote "${name}" exposes no routes`);
  return routes as RouteObject[];
}
