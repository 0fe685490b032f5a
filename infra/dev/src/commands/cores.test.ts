import { shareCores } from './cores.ts';

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
