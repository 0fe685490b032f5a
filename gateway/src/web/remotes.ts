import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { screenHomes, screenRedirects, screenRoutes, type RemoteName } from '@karaar/contracts/screens';
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

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

const File = Type.Object({
  file: Type.String({ pattern: '^[\\w.-]+$' }),
  as: Type.Union([Type.Literal('script'), Type.Literal('style')]),
  integrity: Type.Optional(Type.String({ pattern: '^sha256-[A-Za-z0-9+/=]+$' })),
});
const Files = Type.Array(File);
/** By language. */
const Texts = Type.Record(Type.String(), Files);
/** `manifest.json` of a remote's build (apps/build-manifest.mjs). */
const RemoteManifest = Type.Object({
  entry: File,
  common: Files,
  screens: Type.Record(Type.String(), Type.Object({ files: Files, texts: Texts })),
});
/** `manifest.json` of the shell's build. */
const ShellManifest = Type.Object({ texts: Texts });
type RemoteManifest = Static<typeof RemoteManifest>;
type File = Static<typeof File>;

/**
 * What the gateway knows of the remotes' builds: the hash of each entry, and what each screen needs. Read again
 * when a build has written it anew.
 */
export class Remotes {
  readonly #sources: Readonly<Record<RemoteName, RemoteSource>>;
  readonly #shell: Kept<typeof ShellManifest>;
  readonly #remotes: Readonly<Record<RemoteName, Kept<typeof RemoteManifest>>>;

  /** @param shell folder of the shell's build */
  constructor(shell: string, sources: Readonly<Record<RemoteName, RemoteSource>>) {
    const kept = ({ folder }: RemoteSource) => new Kept(join(folder, 'manifest.json'), RemoteManifest);
    this.#sources = sources;
    this.#shell = new Kept(join(shell, 'manifest.json'), ShellManifest);
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
    const onward: string = Object.entries(screenRedirects).find(([from]) => from === path)?.[1] ?? path;
    const screen =
      screenRoutes.find((route) => matches(route.path, onward)) ??
      screenRoutes.find((route) => route.path === screenHomes.unknown);
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

/** A JSON file that is read again when it was written anew. */
class Kept<S extends TSchema> {
  readonly #file: string;
  readonly #schema: S;
  #read: { mtimeMs: number; value: Static<S> } | undefined;

  constructor(file: string, schema: S) {
    this.#file = file;
    this.#schema = schema;
  }

  /** Null when it is not there, or half written: the next page asks again. */
  async read(): Promise<Static<S> | null> {
    const found = await stat(this.#file).catch(() => null);
    if (found === null) return null;
    if (this.#read?.mtimeMs === found.mtimeMs) return this.#read.value;
    const value = parse(await readFile(this.#file, 'utf8'));
    if (!Value.Check(this.#schema, value)) return null;
    this.#read = { mtimeMs: found.mtimeMs, value };
    return value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The catalogs of the first language of the browser that there is, else English (libs/i18n: firstLanguage). */
function inLanguage(texts: Static<typeof Texts>, accepted: string): readonly File[] {
  const wanted = accepted.split(',').map((one) => one.trim().toLowerCase().split(/[-;]/)[0] ?? '');
  const language = wanted.find((one) => Object.hasOwn(texts, one)) ?? 'en';
  return texts[language] ?? [];
}

function hint(prefix: string, { file, as, integrity }: File): string {
  const hash = integrity === undefined ? '' : `; integrity="${integrity}"`;
  return `<${prefix}${file}>; rel=preload; as=${as}${hash}`;
}

/** Does a path fit a pattern, in which `:name` stands for one segment? */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.replace(/(.)\/$/, '$1').split('/');
  if (wanted.length !== given.length) return false;
  return wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]));
}
