import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { glyphsOf } from './woff.ts';

/**
 * Noto fonts from npm, embedded as data: URLs, so that a page looks the same on every machine. Only the
 * subsets that a page uses are embedded: a Latin agreement carries 4 small fonts, not 40.
 */

const require = createRequire(import.meta.url);

export const SANS = 'Karaar Sans';
export const MONO = 'Karaar Mono';

interface Source {
  family: string;
  pkg: string;
  subset: string;
  weights: readonly number[];
}

const TEXT = [400, 600] as const;

/**
 * Later entries win where ranges overlap (CSS Fonts 4 §11.4), so scripts follow Latin: a ₹ or a joiner in
 * Devanagari text stays in the Devanagari font and is shaped with its neighbours.
 */
const SCRIPTS =
  'ol-chiki meetei-mayek arabic bengali gurmukhi gujarati oriya tamil telugu kannada malayalam devanagari'.split(
    ' ',
  );
const ALPHABETS = 'vietnamese greek-ext greek cyrillic-ext cyrillic latin-ext latin'.split(' ');
const SOURCES: readonly Source[] = [
  ...['symbols', 'math'].map((subset) => sans('noto-sans-arabic', subset)),
  ...ALPHABETS.map((subset) => sans('noto-sans', subset)),
  ...SCRIPTS.map((script) => sans(`noto-sans-${script}`, script)),
  { family: MONO, pkg: 'noto-sans-mono', subset: 'latin', weights: TEXT },
];

function sans(pkg: string, subset: string): Source {
  return { family: SANS, pkg, subset, weights: TEXT };
}

interface Subset extends Source {
  covered: ReadonlyMap<number, number>;
  css: string;
}

let loaded: readonly Subset[] | undefined;

/** Cached: reads about 60 small files once per process. */
function subsets(): readonly Subset[] {
  loaded ??= SOURCES.map((source) => {
    const ranges = JSON.parse(readFileSync(join(folderOf(source.pkg), 'unicode.json'), 'utf8')) as Record<
      string,
      string
    >;
    const range = ranges[source.subset];
    if (range === undefined) throw new Error(`Font ${source.pkg} has no subset ${source.subset}`);
    const file = (weight: number, ext: 'woff' | 'woff2'): Buffer =>
      readFont(source.pkg, source.subset, weight, ext);
    const css = source.weights
      .map((weight) => fontFace(source.family, weight, range, file(weight, 'woff2')))
      .join('');
    return { ...source, css, covered: glyphsOf(file(source.weights[0] ?? 400, 'woff')) };
  });
  return loaded;
}

function folderOf(pkg: string): string {
  return dirname(require.resolve(`@fontsource/${pkg}/package.json`));
}

function readFont(pkg: string, subset: string, weight: number, ext: 'woff' | 'woff2'): Buffer {
  return readFileSync(join(folderOf(pkg), 'files', `${pkg}-${subset}-${weight}-normal.${ext}`));
}

/** Returns fonts that a machine may lack, as WOFF 1.0: each script in regular and bold, symbols and emoji. */
export function scriptFonts(): { name: string; woff: Buffer }[] {
  const scripts = SCRIPTS.flatMap((script) =>
    [400, 700].map((weight) => ({
      name: `noto-sans-${script}-${weight}`,
      woff: readFont(`noto-sans-${script}`, script, weight, 'woff'),
    })),
  );
  return [
    ...scripts,
    ...symbolFonts(),
    { name: 'noto-emoji', woff: readFont('noto-emoji', 'emoji', 400, 'woff') },
  ];
}

/** Returns the symbol fonts as WOFF 1.0; the first has the most glyphs. */
export const symbolFonts = (): { name: string; woff: Buffer }[] =>
  ['noto-sans-symbols-2', 'noto-sans-symbols'].map((name) => ({
    name,
    woff: readFont(name, 'symbols', 400, 'woff'),
  }));

/** Returns the Latin font as WOFF 1.0. */
export const latinFont = (): Buffer => readFont('noto-sans', 'latin', 400, 'woff');

function fontFace(family: string, weight: number, range: string, woff2: Buffer): string {
  const url = `data:font/woff2;base64,${woff2.toString('base64')}`;
  return `@font-face{font-family:'${family}';font-weight:${weight};src:url(${url}) format('woff2');unicode-range:${range}}\n`;
}

/**
 * Returns the @font-face rules for `text`: the subset of each character that only one subset has, and one
 * subset for each character that several have (every Indian font has ₹ and danda). Latin is always included.
 */
export function fontFaces(text: string): string {
  const all = subsets();
  const needed = new Set(all.filter((s) => s.subset === 'latin'));
  const points = codePoints(text).filter((point) => point > 0x7f);
  const owners = points.map((point) => all.filter((s) => s.family === SANS && s.covered.has(point)));
  for (const [only, second] of owners) if (only && !second) needed.add(only);
  for (const candidates of owners) {
    const first = candidates.find((s) => s.pkg === 'noto-sans') ?? candidates.at(-1);
    if (first && !candidates.some((s) => needed.has(s))) needed.add(first);
  }
  return all
    .filter((s) => needed.has(s))
    .map((s) => s.css)
    .join('');
}

/** Returns true if a bundled font has a glyph for this character. */
export function isCovered(point: number): boolean {
  return subsets().some((s) => s.family === SANS && s.covered.has(point));
}

function codePoints(text: string): number[] {
  return [...new Set(text)].map((character) => character.codePointAt(0) ?? 0);
}
