/** What the built front end weighs on the wire, file by file (apps/<app>/dist), against apps/budgets.json. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

type File = { file: string; as: 'script' | 'style' };
type Screen = { files: File[]; texts: Record<string, File[]> };
type Manifest = { entry: File; common: File[]; screens: Record<string, Screen> };
type Kind = 'script' | 'style' | 'font';
type Budgets = {
  /** The first page of a new visitor: everything of shell and remote that /login runs. */
  firstRoute: { path: string } & Record<Kind, number>;
  /** Each build's own first scripts. */
  entries: Record<'shell' | 'user' | 'admin', number>;
  /** What a screen adds, in its largest language. */
  screen: { script: number; style: number };
  /** Any other chunk. */
  chunk: number;
  /** Any other file of a build, by the end of its name: fonts, pictures, the model that guides the camera. */
  assets: Record<string, number>;
  /** Larger ones, loaded on demand: a text that their file or code has, and what they may weigh. */
  large: { app: string; holds: string; atMost: number }[];
};

/** A figure in KB (1000 bytes) and what it may be. */
export type Weight = { what: string; kb: number; atMost: number };

/** KB of a file as browsers get it: its brotli form where there is one. */
const kb = (path: string): number => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size / 1000;

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export const overweight = ({ kb, atMost }: Weight): boolean => !(kb <= atMost);

/** Lines of a table, the ones that are too heavy marked. */
export const table = (weights: readonly Weight[]): string =>
  weights
    .map((one) => {
      const figures = `${one.kb.toFixed(1).padStart(7)} KB of ${String(one.atMost).padStart(3)}`;
      return `${overweight(one) ? '!!' : '  '} ${figures}  ${one.what}`;
    })
    .join('\n');

/** Everything that has a budget. @param root the folder of the apps */
export function weigh(root: string): Weight[] {
  const budgets = json<Budgets>(join(root, 'budgets.json'));
  return [
    ...firstRoute(root, budgets),
    ...entries(root, budgets),
    ...screens(root, budgets),
    ...chunks(root, budgets),
    ...assets(root, budgets),
  ];
}

const json = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const dist = (root: string, app: string): string => join(root, app, 'dist');
const manifestOf = (root: string, app: string): Manifest => json(join(dist(root, app), 'manifest.json'));

/** Every file of a build, by its path in there. */
const filesOf = (root: string, app: string): string[] =>
  readdirSync(dist(root, app), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist(root, app), join(entry.parentPath, entry.name)));

const REMOTES = ['user', 'admin'] as const;
const BUILDS = ['shell', 'user-mfe', 'admin-mfe'] as const;

/** The files that the page itself names, by kind. */
function pageFiles(root: string): Record<Kind, string[]> {
  const page = readFileSync(join(dist(root, 'shell'), 'index.html'), 'utf8');
  const named = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, file = '']) => file);
  return {
    script: named(/<script src="\/([^"]+)"/g),
    style: named(/<link rel="stylesheet" href="\/([^"]+)"/g),
    font: named(/href="\/([^"]+\.woff2)"/g),
  };
}

function firstRoute(root: string, { firstRoute: budget }: Budgets): Weight[] {
  const page = pageFiles(root);
  const { texts } = json<{ texts: Record<string, File[]> }>(join(dist(root, 'shell'), 'manifest.json'));
  const { entry, common, screens: all } = manifestOf(root, 'user-mfe');
  const screen = all[budget.path];
  if (!screen) throw new Error(`The build has no ${budget.path}`);
  const remote = [entry, ...common, ...screen.files];
  const of = (kind: Kind): number => {
    const own = page[kind].map((file) => kb(join(dist(root, 'shell'), file)));
    const its = remote
      .filter(({ as }) => as === kind)
      .map(({ file }) => kb(join(dist(root, 'user-mfe'), file)));
    return sum([...own, ...its]);
  };
  const words = heaviest(root, 'shell', texts) + heaviest(root, 'user-mfe', screen.texts);
  const rows: Record<Kind, number> = { script: of('script') + words, style: of('style'), font: of('font') };
  return Object.entries(rows).map(([kind, size]) => ({
    what: `first route ${budget.path}: ${kind}s`,
    kb: size,
    atMost: budget[kind as Kind],
  }));
}

/** The heaviest of the languages: one is fetched. */
function heaviest(root: string, app: string, texts: Record<string, File[]>): number {
  const sizes = Object.values(texts).map((files) =>
    sum(files.map(({ file }) => kb(join(dist(root, app), file)))),
  );
  return Math.max(0, ...sizes);
}

function entries(root: string, { entries: budget }: Budgets): Weight[] {
  const shell = sum(pageFiles(root).script.map((file) => kb(join(dist(root, 'shell'), file))));
  const remotes = REMOTES.map((name) => {
    const { entry, common } = manifestOf(root, `${name}-mfe`);
    const size = sum([entry, ...common].map(({ file }) => kb(join(dist(root, `${name}-mfe`), file))));
    return { what: `${name}: entry and list of screens`, kb: size, atMost: budget[name] };
  });
  return [{ what: 'shell: first scripts', kb: shell, atMost: budget.shell }, ...remotes];
}

function screens(root: string, { screen: budget }: Budgets): Weight[] {
  return REMOTES.flatMap((name) => {
    const app = `${name}-mfe`;
    return Object.entries(manifestOf(root, app).screens).flatMap(([path, { files, texts }]) => {
      const of = (kind: 'script' | 'style'): number =>
        sum(files.filter(({ as }) => as === kind).map(({ file }) => kb(join(dist(root, app), file))));
      return [
        { what: `${path}: scripts`, kb: of('script') + heaviest(root, app, texts), atMost: budget.script },
        { what: `${path}: styles`, kb: of('style'), atMost: budget.style },
      ];
    });
  });
}

/** Chunks that are loaded on demand, beside those that the page itself names. */
function chunks(root: string, { chunk, large }: Budgets): Weight[] {
  const first = new Set(pageFiles(root).script);
  return BUILDS.flatMap((app) =>
    filesOf(root, app)
      .filter((file) => /\.m?js$/.test(file) && !(app === 'shell' && first.has(file)))
      .map((file) => {
        const path = join(dist(root, app), file);
        const text = readFileSync(path, 'utf8');
        const named = large.find(
          (one) => one.app === app && (file.includes(one.holds) || text.includes(one.holds)),
        );
        return { what: `${app}/${file}`, kb: kb(path), atMost: named?.atMost ?? chunk };
      }),
  );
}

/** Pages, lists and texts beside the builds, and packed forms, which are weighed as what they were packed from. */
const NO_ASSET = /\.(m?js|css|html|json|webmanifest|txt|map|br|gz)$/;

/** A kind of file without a budget may weigh nothing: who brings one in decides what it may weigh. */
function assets(root: string, { assets: budget }: Budgets): Weight[] {
  return BUILDS.flatMap((app) =>
    filesOf(root, app)
      .filter((file) => !NO_ASSET.test(file))
      .map((file) => ({
        what: `${app}/${file}`,
        kb: kb(join(dist(root, app), file)),
        atMost: budget[file.slice(file.lastIndexOf('.') + 1)] ?? 0,
      })),
  );
}

/** In which files of all builds this pattern stands, as often as it is there. */
export function found(root: string, pattern: RegExp): string[] {
  return BUILDS.flatMap((app) =>
    filesOf(root, app)
      .filter((file) => /\.m?js$/.test(file))
      .flatMap((file) =>
        [...readFileSync(join(dist(root, app), file), 'utf8').matchAll(pattern)].map(() => `${app}/${file}`),
      ),
  );
}
