import { shareCores } from './cores.ts';

it.each([
  [1, { projects: 1, workers: 1 }],
  [2, { projects: 2, workers: 1 }],
  [3, { projects: 2, workers: 1 }],
  [4, { projects: 2, workers: 2 }],
  [16, { projects: 2, workers: 8 }],
])('%i cores are shared out, none of them twice', (cores, share) => {
  expect(shareCores(cores)).toEqual(share);
  expect(share.projects * share.workers).toBeLessThanOrEqual(cores);
});
