import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '../testing/scratch.ts';
import { projectsWithTests, readResults } from './results.ts';

let root: string;
let remove: () => void;
beforeEach(() => ({ dir: root, remove } = scratch()));
afterEach(() => remove());

function file(path: string, text = ''): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

function project(dir: string, counts?: object, test = 'src/deep/a.test.ts'): void {
  file(join(dir, 'package.json'), JSON.stringify({ name: `@karaar/${dir.replace('/', '-')}` }));
  file(join(dir, test));
  if (counts !== undefined) file(join(dir, 'test-results.json'), JSON.stringify(counts));
}

describe('projectsWithTests', () => {
  it('finds the workspaces that hold a test file of their own', () => {
    project('libs/one');
    project('libs/two', undefined, 'src/screen.test.tsx');
    project('gateway');
    file('libs/three/package.json', '{"name":"@karaar/three"}');
    file('libs/three/node_modules/x/a.test.ts');
    file('libs/README.md');
    const found = projectsWithTests(root, ['libs/*', 'gateway', 'services/*', 'bench']);
    expect(found.map(({ name }) => name)).toEqual([
      '@karaar/libs-one',
      '@karaar/libs-two',
      '@karaar/gateway',
    ]);
  });
  it('tells the long tests from the others', () => {
    project('libs/one', undefined, 'a.long.test.ts');
    project('libs/two', undefined, 'long.test.ts');
    const names = (which: 'short' | 'long') =>
      projectsWithTests(root, ['libs/*'], which).map(({ name }) => name);
    expect([names('short'), names('long')]).toEqual([['@karaar/libs-two'], ['@karaar/libs-one']]);
  });
});

describe('readResults', () => {
  const first = () => ({ name: 'one', dir: join(root, 'libs/one') });

  it('gives the result of each file', () => {
    const files = [{ path: 'src/a.test.ts', passed: 3, failures: [] }];
    project('libs/one', { files });
    expect(readResults(first())).toEqual(files);
  });

  it('gives nothing for a project that left no result, or a broken one', () => {
    project('libs/one');
    expect(readResults(first())).toBeUndefined();
    project('libs/one', { passed: 3 });
    expect(readResults(first())).toBeUndefined();
  });
});
