import { loadShare, type ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import { trustedScriptUrl } from '@karaar/api-client';

/** Milliseconds after which a manifest or an entry counts as unreachable. */
const DEADLINE_MS = 15_000;

/** What is known of a remote's entry. */
export type EntryState = {
  /** Hash of its manifest; none where builds change under a running page. */
  readonly manifest: string | undefined;
  /** Tries before this one: a further one asks again instead of getting the failed answer again. */
  readonly attempt: number;
  /** Hash of the entry, by the manifest. */
  entry?: string | undefined;
  /** Its entry has run: it is in the page for good. */
  ran: boolean;
};

/**
 * Has the federation's runtime check a remote before it runs: `/config.json` has the hash of its manifest, the manifest
 * that of its entry; chunks are checked by the remote's own runtime (libs/web-build/src/build-manifest.mjs).
 *
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
      // As the page's early fetch of it was made, which is thrown away otherwise.
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
 * Has the runtime say whether the shell has what a remote shares, before any of it runs: by itself it would say so where the
 * package is first used, which may be deep in the remote.
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

/** The manifest, when its bytes have the hash that the configuration names. */
async function fetchManifest(url: string, state: EntryState | undefined): Promise<Response> {
  const response = await fetch(url, {
    // With the page's early fetch, which was made without a hash: the bytes are looked at here.
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...(state?.attempt ? { cache: 'reload' } : {}),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (state?.manifest && !(await fits(bytes, state.manifest)))
    throw new Error(`${url} is not what the configuration says`);
  return new Response(bytes);
}

/** Whether bytes have a hash, which is written as in HTML: `sha256-` and base64. */
async function fits(bytes: ArrayBuffer, integrity: string): Promise<boolean> {
  const [algorithm = '', wanted] = integrity.split('-');
  const hash = new Uint8Array(await crypto.subtle.digest(algorithm.replace('sha', 'SHA-'), bytes));
  return btoa(String.fromCharCode(...hash)) === wanted;
}
