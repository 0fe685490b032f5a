import { join } from 'node:path';
import { RemoteManifest, ShellManifest, type BuiltFile, type Texts } from '@karaar/contracts/build-manifest';
import { screenAt, type RemoteName } from '@karaar/contracts/screens';
import { KeptJson } from '@karaar/platform/kept-json';
import type { GatewayConfig } from '../config.ts';

/** A micro front end, here and where browsers get it. */
type Remote = {
  url: string;
  /** Hash of its entry by configuration, where the build is not ours to read. */
  integrity: string | undefined;
  /** Folder of its build and the path under which this process serves it. */
  folder: string;
  prefix: string;
  manifest: KeptJson<typeof RemoteManifest>;
};

/** A remote as /config.json tells the shell. */
export type RemoteAddress = { url: string; integrity?: string };

/**
 * What the gateway knows of the builds: the hash of each remote's entry, and what each screen needs. Read again
 * when a build has written it anew.
 */
export class Remotes {
  readonly all: Readonly<Record<RemoteName, Remote>>;
  readonly #shell: KeptJson<typeof ShellManifest>;

  /** @param shell folder of the shell's build */
  constructor(shell: string, config: GatewayConfig) {
    const of = (name: RemoteName, url: string, integrity: string | undefined): Remote => {
      const folder = join(config.WEB_DIR, `${name}-mfe`, 'dist');
      const manifest = new KeptJson(join(folder, 'manifest.json'), RemoteManifest);
      return { url, integrity, folder, prefix: `/mfe/${name}/`, manifest };
    };
    this.#shell = new KeptJson(join(shell, 'manifest.json'), ShellManifest);
    this.all = {
      user: of('user', config.REMOTE_USER_URL, config.REMOTE_USER_INTEGRITY),
      admin: of('admin', config.REMOTE_ADMIN_URL, config.REMOTE_ADMIN_INTEGRITY),
    };
  }

  /** The remotes as /config.json names them. */
  async addresses(): Promise<Record<RemoteName, RemoteAddress>> {
    const of = async (remote: Remote): Promise<RemoteAddress> => {
      const { url, integrity = (await built(remote))?.entry.integrity } = remote;
      return integrity === undefined ? { url } : { url, integrity };
    };
    return { user: await of(this.all.user), admin: await of(this.all.admin) };
  }

  /**
   * The `Link` header of a page: what its screen needs is fetched with the page, not one after the other.
   * @param path the page's path
   * @param languages `Accept-Language`: what a visitor without a choice of their own gets
   */
  async hints(path: string, languages: string): Promise<string> {
    const shell = (await this.#shell.read())?.texts ?? {};
    const hints = inLanguage(shell, languages).map((file) => hint('/', file));
    const screen = screenAt(path);
    const remote = screen && this.all[screen.remote];
    const build = remote && (await built(remote));
    if (build) {
      const { files, texts } = build.screens[screen.path] ?? { files: [], texts: {} };
      const needed = [build.entry, ...build.common, ...files, ...inLanguage(texts, languages)];
      hints.push(...needed.map((file) => hint(remote.prefix, file)));
    }
    return hints.join(', ');
  }
}

/** Null for a build that is not there or not served from here. */
async function built({ url, prefix, manifest }: Remote): Promise<RemoteManifest | null> {
  return url.startsWith(prefix) ? manifest.read() : null;
}

/** The catalogs of the first language of the browser that there is, else English (libs/i18n: firstLanguage). */
function inLanguage(texts: Texts, accepted: string): readonly BuiltFile[] {
  const wanted = accepted.split(',').map((one) => one.trim().toLowerCase().split(/[-;]/)[0] ?? '');
  const language = wanted.find((one) => Object.hasOwn(texts, one)) ?? 'en';
  return texts[language] ?? [];
}

function hint(prefix: string, { file, as, integrity }: BuiltFile): string {
  const hash = integrity === undefined ? '' : `; integrity="${integrity}"`;
  return `<${prefix}${file}>; rel=preload; as=${as}${hash}`;
}
