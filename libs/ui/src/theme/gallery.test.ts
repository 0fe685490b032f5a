import { readdirSync, readFileSync } from 'node:fs';

const source = new URL('../', import.meta.url);
const demos = new URL('../../gallery/src/demos/', import.meta.url);
const { exports: entries } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { exports: Record<string, string> };

/**
 * Returns the components that an index exports: their names begin with a capital; types and hooks do not
 * count.
 */
const partsOf = (index: string): string[] =>
  [...index.matchAll(/export \{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => /^[A-Z]\w+$/.test(name));

/** Wrappers and parts without a visible form. */
const without = new Set([
  'UiProvider',
  'AppFrame',
  'BottomBar',
  'BottomLink',
  'QrCode',
  'PublicFrame',
  'FieldFrame',
  'LoadBoundary',
  'CameraCapture',
  'LanguageMenu',
]);

describe('the gallery', () => {
  it('shows every part that the design system exports', () => {
    const shown = readdirSync(demos)
      .map((name) => readFileSync(new URL(name, demos), 'utf8'))
      .concat(readFileSync(new URL('../main.tsx', demos), 'utf8'))
      .join('');
    const parts = Object.values(entries)
      .filter((path) => path.endsWith('index.ts'))
      .flatMap((path) => partsOf(readFileSync(new URL(path.replace('./src/', ''), source), 'utf8')));
    expect(parts.length).toBeGreaterThan(50);
    expect(parts.filter((part) => !without.has(part) && !new RegExp(`<${part}[\\s>/<]`).test(shown))).toEqual(
      [],
    );
  });
});
