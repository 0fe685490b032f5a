import { loadShare, type ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import { trustedScriptUrl } from '@karaar/api-client';

/** Milliseconds after which a manifest or an entry counts as unreachable. */
const DEADLINE_MS = 15_000;

/** The state of a remote's entry. */
export type EntryState = {
  /** The hash of its manifest; undefined if builds change while the page runs. */
  readonly manifest: string | undefined;
  /** The number of earlier attempts: a new attempt bypasses the failed response. */
  readonly attempt: number;
  entry?: string | undefined;
  /** The entry has run, and remains in the page. */
  ran: boolean;
};

/**
 * Returns a federation plugin that checks a remote before it runs: `/config.json` has the hash of its
 * manifest, the manifest that of its entry; the remote's runtime checks the chunks
 * (libs/web-build/src/build-manifest.mjs).
 * @param states by the remote's name in the federation
 */
export function checkedRemotes(states: ReadonlyMap<string, EntryState>): ModuleFederationRuntimePlugin {
  return {
    name: 'karaar-checked-remotes',
    fetch: (url, _init, remote) => fetchManifest(url, remote && states.get(remote.name)),
    async loadRemoteSnapshot(args) {
      const state = states.get(args.moduleInfo.name);
      const meta: object = args.manifestJson?.metaData ?? {};
      if (state && 'entryIntegrity' in meta) state.entry = String(meta.entryIntegrity);
      await Promise.all((args.manifestJson?.shared ?? []).map(checkVersion));
      return args;
    },
    createScript({ url, remoteInfo }) {
      const state = remoteInfo && states.get(remoteInfo.name);
      const script = document.createElement('script');
      script.src = trustedScriptUrl(state?.attempt ? `${url}?attempt=${Date.now()}` : url);
      script.async = true;
      // Must match the page's preload, which is discarded otherwise.
      if (new URL(script.src).origin !== location.origin) script.crossOrigin = 'anonymous';
      if (state?.entry) script.integrity = state.entry;
      return { script, timeout: DEADLINE_MS };
    },
    afterLoadEntry({ remoteInfo, remoteEntryExports }) {
      const state = states.get(remoteInfo.name);
      if (state && remoteEntryExports) state.ran = true;
    },
  };
}

/**
 * Checks that the shell has the shared packages of a remote before its code runs: the runtime itself would
 * report that only at the first use, deep in the remote.
 */
async function checkVersion({
  name,
  requiredVersion,
}: {
  name: string;
  requiredVersion: string;
}): Promise<void> {
  const shareConfig = { singleton: true, strictVersion: true, requiredVersion };
  await loadShare(name, { customShareInfo: { shareConfig } });
}

/** Returns the manifest if its bytes have the hash in the configuration. */
async function fetchManifest(url: string, state: EntryState | undefined): Promise<Response> {
  const response = await fetch(url, {
    // Reuses the page's preload, which has no hash: the bytes are checked here.
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...(state?.attempt ? { cache: 'reload' } : {}),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (state?.manifest && !(await fits(bytes, state.manifest)))
    throw new Error(`${url} is not what the configuration says`);
  return new Response(bytes);
}

/** Returns true if bytes have the hash, written as in HTML: `sha256-` and base64. */
async function fits(bytes: ArrayBuffer, integrity: string): Promise<boolean> {
  const [algorithm = '', expectedHash] = integrity.split('-');
  const hash = new Uint8Array(await crypto.subtle.digest(algorithm.replace('sha', 'SHA-'), bytes));
  return btoa(String.fromCharCode(...hash)) === expectedHash;
}
