import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../../../', import.meta.url);

const styles = (folder: string): [name: string, css: string][] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css') && !/node_modules|dist\//.test(name))
    .map((name) => [
      folder + name,
      readFileSync(new URL(folder + name, root), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, ''),
    ]);

const faults = (sheets: [string, string][], pattern: RegExp) =>
  sheets.flatMap(([name, css]) => [...css.matchAll(pattern)].map(([found]) => `${name}: ${found.trim()}`));

const apps = styles('apps/');
const parts = styles('libs/ui/').filter(([name]) => !name.includes('/theme/'));

describe('style sheets', () => {
  it('of the theme are each imported by a part', () => {
    const sources = readdirSync(new URL('libs/ui/src/', root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(new URL(`libs/ui/src/${name}`, root), 'utf8'))
      .join('');
    const themes = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.css'));
    expect(themes.length).toBeGreaterThan(4);
    expect(themes.filter((name) => !sources.includes(`/theme/${name}'`))).toEqual([]);
  });

  it('of screens style no part of the component library', () => {
    expect(apps.length).toBeGreaterThan(3);
    expect(faults(apps, /\.mantine-[\w-]+/g)).toEqual([]);
  });

  it('take colours from the tokens', () => {
    expect(faults([...parts, ...apps], /#[0-9a-f]{3,8}\b(?=[^{}]*\})/gi)).toEqual([]);
  });

  it('take type sizes from the tokens', () => {
    expect(faults([...parts, ...apps], /font-size:(?!\s*(?:var\(--k-text|inherit|0\.\d+em))[^;]+/g)).toEqual(
      [],
    );
  });

  it('animate for at most 200 ms, by the tokens', () => {
    expect(faults([...parts, ...apps], /transition:[^;]*\d+ms[^;]*/g)).toEqual([]);
    const tokens = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
    const times = [...tokens.matchAll(/--k-(?:quick|slow): (\d+)ms/g)].map(([, ms]) => Number(ms));
    expect(times.length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...times)).toBeLessThanOrEqual(200);
  });
});
