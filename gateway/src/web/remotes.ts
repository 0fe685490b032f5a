import { join } from 'node:path';
import { RemoteManifest, ShellManifest, type BuiltFile, type Texts } from '@karaar/contracts/build-manifest';
import { screenAt, type RemoteName } from '@karaar/contracts/screens';
import { KeptJson } from '@karaar/platform/kept-json';

/** Where a remote comes from by configuration. */
export type RemoteSource = {
  url: string;
  /** Hash of its entry, where the build is not ours to read. */
  integrity?: string | undefined;
  /** Folder of its build and the path under which this process serves it. */
  folder: string;
  prefix: string;
};

/** A remote as /config.json tells the shell. */
export type RemoteAddress = { url: string; integrity?: string };

/**
 * What the gateway knows of the remotes' builds: the hash of each entry, and what each screen needs. Read again
 * when a build has written it anew.
 */
export class Remotes {
  readonly #sources: Readonly<Record<RemoteName, RemoteSource>>;
  readonly #shell: KeptJson<typeof ShellManifest>;
  readonly #remotes: Readonly<Record<RemoteName, KeptJson<typeof RemoteManifest>>>;

  /** @param shell folder of the shell's build */
  constructor(shell: string, sources: Readonly<Record<RemoteName, RemoteSource>>) {
    const kept = ({ folder }: RemoteSource) => new KeptJson(join(folder, 'manifest.json'), RemoteManifest);
    this.#sources = sources;
    this.#shell = new KeptJson(join(shell, 'manifest.json'), ShellManifest);
    this.#remotes = { user: kept(sources.user), admin: kept(sources.admin) };
  }

  /** The remotes as /config.json names them. */
  async addresses(): Promise<Record<RemoteName, RemoteAddress>> {
    const of = async (name: RemoteName): Promise<RemoteAddress> => {
      const { url, integrity = (await this.#manifest(name))?.entry.integrity } = this.#sources[name];
      return integrity === undefined ? { url } : { url, integrity };
    };
    return { user: await of('user'), admin: await of('admin') };
  }

  /**
   * The `Link` header of a page: what its screen needs is fetched with the page, not one after the other.
   * @param path the page's path
   * @param languages `Accept-Language`: what a visitor without a choice of their own gets
   */
  async hints(path: string, languages: string): Promise<string> {
    const screen = screenAt(path);
    const shell = (await this.#shell.read())?.texts ?? {};
    const hints = inLanguage(shell, languages).map((file) => hint('/', file));
    const remote = screen && (await this.#manifest(screen.remote));
    if (remote) {
      const { files, texts } = remote.screens[screen.path] ?? { files: [], texts: {} };
      const needed = [remote.entry, ...remote.common, ...files, ...inLanguage(texts, languages)];
      hints.push(...needed.map((file) => hint(this.#sources[screen.remote].prefix, file)));
    }
    return hints.join(', ');
  }

  /** Null for a build that is not there or not served from here. */
  async #manifest(name: RemoteName): Promise<RemoteManifest | null> {
    const { url, prefix } = this.#sources[name];
    return url.startsWith(prefix) ? this.#remotes[name].read() : null;
  }
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
