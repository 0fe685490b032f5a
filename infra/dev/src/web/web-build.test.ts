import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneRoot } from '@karaar/testing/roots';
import { scratch } from '@karaar/testing/scratch';
import { fingerprint, inputs, webApps } from './web-build.ts';

describe('fingerprint', () => {
  const { dir, remove } = scratch();
  afterAll(() => remove());
  const write = (path: string, text: string, time: number): void => {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
    utimesSync(join(dir, path), time, time);
  };

  it('changes with a source, but not with the output of a build or an install', () => {
    write('apps/shell/src/a.ts', 'one', 1_000);
    write('package-lock.json', '{}', 1_000);
    const paths = ['apps', 'package-lock.json', 'not-there'];
    const seen = [fingerprint(dir, paths)];
    write('apps/shell/dist/a.js', 'out', 2_000);
    write('apps/shell/node_modules/x/a.js', 'x', 2_000);
    expect(fingerprint(dir, paths)).toBe(seen[0]);
    write('apps/shell/src/a.ts', 'two', 2_000);
    seen.push(fingerprint(dir, paths));
    write('apps/shell/src/b.ts', '', 2_000);
    seen.push(fingerprint(dir, paths));
    write('package-lock.json', '{"a":1}', 2_000);
    seen.push(fingerprint(dir, paths));
    expect(new Set(seen).size).toBe(4);
  });
});

it('the front end is rebuilt after a change in any library that it uses', () => {
  const libraries = new Set<string>();
  const follow = (folder: string): void => {
    const text = readFileSync(join(cloneRoot, folder, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
    for (const name of Object.keys(dependencies).filter((each) => each.startsWith('@karaar/'))) {
      const library = name.replace('@karaar/', 'libs/');
      if (libraries.has(library)) continue;
      libraries.add(library);
      follow(library);
    }
  };
  for (const app of webApps) follow(`apps/${app}`);
  expect(libraries.size).toBeGreaterThan(4);
  expect([...libraries].filter((library) => !inputs.includes(library))).toEqual([]);
});
