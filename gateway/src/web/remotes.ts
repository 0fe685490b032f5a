import { join } from 'node:path';
import { RemoteManifest, ShellManifest, type BuiltFile, type Texts } from '@karaar/contracts/build-manifest';
import { screenAt, type RemoteName } from '@karaar/contracts/screens';
import { CachedJsonFile } from './cached-json-file.ts';
import type { GatewayConfig } from '../config.ts';

function remoteOf({ WEB_DIR }: GatewayConfig, name: RemoteName, url?: string, integrity?: string) {
  const folder = join(WEB_DIR, `${name}-mfe`, 'dist');
  // The files of each screen, and the `mf-manifest.json`; read again after a release.
  const manifest = new CachedJsonFile(join(folder, 'manifest.json'), RemoteManifest);
  return { url, integrity, folder, prefix: `/mfe/${name}/`, manifest };
}
type Remote = ReturnType<typeof remoteOf>;

export type Remotes = Readonly<Record<RemoteName, Remote>>;

/** Returns the remotes with their build folders; `url` is set only if another server delivers the remote. */
export const remotesOf = (config: GatewayConfig): Remotes => ({
  user: remoteOf(config, 'user', config.REMOTE_USER_URL, config.REMOTE_USER_INTEGRITY),
  admin: remoteOf(config, 'admin', config.REMOTE_ADMIN_URL, config.REMOTE_ADMIN_INTEGRITY),
});

/** Returns a remote's address for /config.json. The address of a remote that is not built answers 404. */
export async function addressOf(remote: Remote): Promise<{ url: string; integrity: string | undefined }> {
  const { prefix, url = `${prefix}mf-manifest.json`, integrity } = remote;
  const federation = (await built(remote))?.federation;
  return federation ? { url: prefix + federation.file, integrity: federation.integrity } : { url, integrity };
}

/**
 * Preload hints: the browser fetches the files of a screen together with the page instead of one after the
 * other.
 * @param shell folder of the shell's build
 * @returns a function that returns a page's `Link` header for its path and the `Accept-Language` header
 */
export function hintsOf(
  shell: string,
  remotes: Remotes,
): (path: string, languages: string) => Promise<string> {
  const manifest = new CachedJsonFile(join(shell, 'manifest.json'), ShellManifest);
  return async (path, languages) => {
    const ours = inLanguage((await manifest.read())?.texts ?? {}, languages);
    const hints = ours.map((file) => hint('/', file));
    const screen = screenAt(path);
    const remote = screen && remotes[screen.remote];
    const build = remote && (await built(remote));
    if (build) {
      const { files, texts } = build.screens[screen.path] ?? { files: [], texts: {} };
      hints.push(`<${remote.prefix}${build.federation.file}>; rel=preload; as=fetch; crossorigin`);
      const needed = [build.entry, ...build.common, ...files, ...inLanguage(texts, languages)];
      hints.push(...needed.map((file) => hint(remote.prefix, file)));
    }
    return hints.join(', ');
  };
}

/** Returns null if the build does not exist or another server delivers it. */
async function built({ url, manifest }: Remote): Promise<RemoteManifest | null> {
  return url === undefined ? manifest.read() : null;
}

/**
 * Returns the catalogs of the browser's first language that the product has, otherwise English (libs/i18n:
 * firstLanguage).
 */
function inLanguage(texts: Texts, accepted: string): readonly BuiltFile[] {
  const languages = accepted.split(',').map((one) => one.trim().toLowerCase().split(/[-;]/)[0] ?? '');
  const language = languages.find((one) => Object.hasOwn(texts, one)) ?? 'en';
  return texts[language] ?? [];
}

function hint(prefix: string, { file, as, integrity }: BuiltFile): string {
  const hash = integrity === undefined ? '' : `; integrity="${integrity}"`;
  return `<${prefix}${file}>; rel=preload; as=${as}${hash}`;
}
