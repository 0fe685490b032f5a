import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '../testing/scratch.ts';
import { projectsWithTests, sumResults } from './results.ts';

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

describe('sumResults', () => {
  it('adds up what the projects counted', () => {
    project('libs/one', { passed: 3, failed: 0 });
    project('libs/two', { passed: 4, failed: 2 });
    expect(sumResults(projectsWithTests(root, ['libs/*']))).toEqual({ passed: 7, failed: 2, uncounted: [] });
  });

  it('counts a project that left no count, or a broken one, as a failure', () => {
    project('libs/one', { passed: 3, failed: 0 });
    project('libs/two');
    project('libs/zoo', { passed: '3' });
    const sum = sumResults(projectsWithTests(root, ['libs/*']));
    expect(sum).toEqual({ passed: 3, failed: 2, uncounted: ['@karaar/libs-two', '@karaar/libs-zoo'] });
  });
});
