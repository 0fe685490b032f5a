import { readdirSync, readFileSync } from 'node:fs';
import { contrast, pairsIn, palettes } from './contrast.ts';

const root = new URL('../../../../', import.meta.url);
const tokens = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const themes = Object.entries(palettes(tokens));

/** Every style sheet of the design system and of the apps. */
const sheets = ['libs/ui/', 'apps/']
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((name) => folder + name),
  )
  .filter((name) => name.endsWith('.css') && !/node_modules|\/dist\//.test(name));

const READ = 4.5;
const SEEN = 3;

/** Text and background pairs beyond single rules: the background is mostly set on an ancestor. */
const grounds = ['k-paper', 'k-sheet', 'k-raised', 'k-sunken'];
const texts = ['k-ink', 'k-ink-2', 'k-ink-3', 'k-blue-text', 'k-seal-ink', 'k-green', 'k-amber', 'k-neutral'];
const soft = ['blue', 'green', 'amber', 'seal', 'neutral'].map((tone) => `k-${tone}-soft`);

const read: [string, string][] = [
  ...texts.flatMap((text) => grounds.map((ground): [string, string] => [text, ground])),
  ...soft.flatMap((ground) => ['k-ink', 'k-ink-2'].map((text): [string, string] => [text, ground])),
  ['k-blue-text', 'k-blue-soft'],
  ['k-green', 'k-green-soft'],
  ['k-amber', 'k-amber-soft'],
  ['k-seal-ink', 'k-seal-soft'],
  ['k-neutral', 'k-neutral-soft'],
  ['k-on-blue', 'k-blue'],
  ['k-on-blue', 'k-blue-hover'],
  ['k-on-blue', 'k-seal'],
  ['k-on-blue', 'k-seal-hover'],
  ['k-on-camera', 'k-camera'],
];
/** Lines that alone mark a control, and the focus ring. */
const seen = ['k-line-field', 'k-blue-text'].flatMap((line) =>
  grounds.map((ground): [string, string] => [line, ground]),
);

describe.each(themes)('%s theme', (_name, palette) => {
  const ratio = ([a, b]: readonly [string, string]): number => contrast(palette[a] ?? '', palette[b] ?? '');
  const weak = (pairs: readonly [string, string][], least: number) =>
    pairs.filter((pair) => !(ratio(pair) >= least)).map((pair) => `${pair.join(' on ')}: ${ratio(pair)}`);

  it('has 4.5 or more for every text on every background', () => {
    expect(weak(read, READ)).toEqual([]);
  });

  it('has 3 or more for the lines of controls and the focus ring', () => {
    expect(weak(seen, SEEN)).toEqual([]);
  });

  it('has 4.5 in every rule that sets text and background', () => {
    expect(sheets.length).toBeGreaterThan(10);
    const faults = sheets.flatMap((name) =>
      weak(pairsIn(readFileSync(new URL(name, root), 'utf8')), READ).map((fault) => `${name}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});

describe('contrast', () => {
  it('is right at the ends of the scale and for a measured pair', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(
      pairsIn('.a { color: var(--k-ink); background: var(--k-paper) } .b { color: var(--k-ink) }'),
    ).toEqual([['k-ink', 'k-paper']]);
  });
});
