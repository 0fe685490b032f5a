import { levelOf, workersFor } from './levels.ts';

it.each([
  ['libs/a/src/x.test.ts', 'unit'],
  ['apps/a/src/X.test.tsx', 'unit'],
  ['services/a/test/x.int.test.ts', 'int'],
  ['e2e/main/x.e2e.ts', 'e2e'],
  ['bench/x.slow.ts', 'slow'],
  ['libs/a/src/test.ts', undefined],
  ['e2e/src/e2e.ts', undefined],
])('%s is of the level %s', (path, level) => {
  expect(levelOf(path)).toBe(level);
});

it.each([
  ['unit', 2, 2],
  ['int', 1, 1],
  ['int', 2, 3],
  ['int', 16, 16],
  ['e2e', 2, 2],
  ['e2e', 4, 3],
  ['slow', 16, 4],
] as const)('%s tests on %i cores run in %i processes', (level, cores, workers) => {
  expect(workersFor(level, cores)).toBe(workers);
});
