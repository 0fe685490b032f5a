/** The size of the built front end on the wire (apps/<app>/dist), compared with apps/budgets.json. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

type Kind = 'script' | 'style' | 'font';
type File = { file: string; as: Kind };
type Texts = Record<string, File[]>;
type Manifest = { entry: File; common: File[]; screens: Record<string, { files: File[]; texts: Texts }> };
type Budgets = {
  /** Everything of shell and remote that the first page of a new visitor loads. */
  firstRoute: { path: string } & Record<Kind, number>;
  /** The first scripts of each build. */
  entries: Record<'shell' | 'user' | 'admin', number>;
  /** The files that a screen adds, with the texts of its largest language. */
  screen: { script: number; style: number };
  chunk: number;
  /** Any other file, by its extension: fonts, pictures, the model that guides the camera. */
  assets: Record<string, number>;
  /** Larger chunks: a text in their name or code, and their limit. */
  large: { app: string; holds: string; atMost: number }[];
};

/** A size and its limit, in KB of 1000 bytes. */
export type Weight = { what: string; kb: number; atMost: number };

export const overweight = ({ kb, atMost }: Weight): boolean => !(kb <= atMost);

const REMOTES = ['user', 'admin'] as const;
const BUILDS = ['shell', 'user-mfe', 'admin-mfe'] as const;
const SCRIPT = /\.m?js$/;
/** Files without a budget, and compressed copies, which count with their originals. */
const NO_ASSET = /\.(m?js|css|html|json|webmanifest|txt|map|br|gz)$/;

const json = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

function filesOf(root: string, app: string): string[] {
  const dist = join(root, app, 'dist');
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)));
}

/** Returns everything that has a budget. @param root the folder of the apps */
export function weigh(root: string): Weight[] {
  const budgets = json<Budgets>(join(root, 'budgets.json'));
  const manifest = <T = Manifest>(app: string): T => json<T>(join(root, app, 'dist', 'manifest.json'));
  /** Returns the size of files as browsers receive them: compressed with brotli if there is such a copy. */
  const kb = (app: string, files: readonly File[], kind?: Kind): number =>
    files
      .filter(({ as }) => kind === undefined || as === kind)
      .map(({ file }) => join(root, app, 'dist', file))
      .map((path) => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size / 1000)
      .reduce((a, b) => a + b, 0);
  /** Returns the size of the largest language, because a browser loads one. */
  const largest = (app: string, texts: Texts): number =>
    Math.max(0, ...Object.values(texts).map((files) => kb(app, files)));

  const page = readFileSync(join(root, 'shell', 'dist', 'index.html'), 'utf8');
  const named = (as: Kind, pattern: RegExp): File[] =>
    [...page.matchAll(pattern)].map(([, file = '']) => ({ file, as }));
  const first = [
    ...named('script', /<script src="\/([^"]+)"/g),
    ...named('style', /<link rel="stylesheet" href="\/([^"]+)"/g),
    ...named('font', /href="\/([^"]+\.woff2)"/g),
  ];

  const firstRoute = (): Weight[] => {
    const { path } = budgets.firstRoute;
    const { entry, common, screens } = manifest('user-mfe');
    const screen = screens[path];
    if (!screen) throw new Error(`The build has no ${path}`);
    const texts =
      largest('shell', manifest<{ texts: Texts }>('shell').texts) + largest('user-mfe', screen.texts);
    return (['script', 'style', 'font'] as const).map((kind) => ({
      what: `first route ${path}: ${kind}s`,
      kb:
        kb('shell', first, kind) +
        kb('user-mfe', [entry, ...common, ...screen.files], kind) +
        (kind === 'script' ? texts : 0),
      atMost: budgets.firstRoute[kind],
    }));
  };
  const entries = REMOTES.map((name): Weight => {
    const { entry, common } = manifest(`${name}-mfe`);
    const size = kb(`${name}-mfe`, [entry, ...common]);
    return { what: `${name}: entry and list of screens`, kb: size, atMost: budgets.entries[name] };
  });
  const screens = REMOTES.flatMap((name) => {
    const app = `${name}-mfe`;
    return Object.entries(manifest(app).screens).flatMap(([path, { files, texts }]): Weight[] => {
      const script = kb(app, files, 'script') + largest(app, texts);
      return [
        { what: `${path}: scripts`, kb: script, atMost: budgets.screen.script },
        { what: `${path}: styles`, kb: kb(app, files, 'style'), atMost: budgets.screen.style },
      ];
    });
  });
  /** The limit of a chunk or asset. A kind of file without a budget has the limit 0. */
  const limitOf = (app: string, file: string): number => {
    if (!SCRIPT.test(file)) return budgets.assets[file.slice(file.lastIndexOf('.') + 1)] ?? 0;
    const text = readFileSync(join(root, app, 'dist', file), 'utf8');
    const large = budgets.large.find(
      (one) => one.app === app && (file.includes(one.holds) || text.includes(one.holds)),
    );
    return large?.atMost ?? budgets.chunk;
  };
  const others = BUILDS.flatMap((app) =>
    filesOf(root, app)
      .filter((file) => !NO_ASSET.test(file) || SCRIPT.test(file))
      .filter((file) => !(app === 'shell' && first.some((one) => one.as === 'script' && one.file === file)))
      .map((file): Weight => {
        const size = kb(app, [{ file, as: 'script' }]);
        return { what: `${app}/${file}`, kb: size, atMost: limitOf(app, file) };
      }),
  );
  const size = kb('shell', first, 'script');
  const shell = { what: 'shell: first scripts', kb: size, atMost: budgets.entries.shell };
  return [...firstRoute(), shell, ...entries, ...screens, ...others];
}

/** Returns the file of each match of this pattern in the scripts of all builds. */
export function found(root: string, pattern: RegExp): string[] {
  return BUILDS.flatMap((app) =>
    filesOf(root, app)
      .filter((file) => SCRIPT.test(file))
      .flatMap((file) =>
        [...readFileSync(join(root, app, 'dist', file), 'utf8').matchAll(pattern)].map(
          () => `${app}/${file}`,
        ),
      ),
  );
}
