import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneRoot } from '../roots.ts';
import { OWN_LANE, shareCores, shareLanes } from './cores.ts';

it.each([
  [1, { projects: 1, workers: 1 }],
  [2, { projects: 3, workers: 1 }],
  [3, { projects: 4, workers: 1 }],
  [4, { projects: 2, workers: 2 }],
  [16, { projects: 2, workers: 8 }],
])('%i cores are shared out, each to one and a half workers at most', (cores, share) => {
  expect(shareCores(cores)).toEqual(share);
  expect(share.projects * share.workers).toBeLessThanOrEqual(cores * 1.5);
});

describe('lanes', () => {
  const [documents = '', bench = ''] = OWN_LANE;

  it('name projects that exist', () => {
    const names = ['services/documents', 'bench'].map((dir) => {
      const manifest = readFileSync(join(cloneRoot, dir, 'package.json'), 'utf8');
      return (JSON.parse(manifest) as { name: string }).name;
    });
    expect(names).toEqual(OWN_LANE);
  });

  it('test the longest projects one after the other beside the others, and each project once', () => {
    expect(shareLanes(['a', documents, 'b', bench], 3)).toEqual([
      { projects: [documents, bench], parallel: 1 },
      { projects: ['a', 'b'], parallel: 2 },
    ]);
  });

  it.each([
    ['one project at a time', ['a', documents], 1],
    ['no long project', ['a', 'b'], 3],
    ['long projects alone', [documents], 3],
  ])('are one lane with %s', (_, projects, atOnce) => {
    expect(shareLanes(projects, atOnce)).toEqual([{ projects, parallel: atOnce }]);
  });
});
