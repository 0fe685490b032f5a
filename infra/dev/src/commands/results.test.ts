import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '@karaar/testing/scratch';
import { readResults } from './results.ts';

let root: string;
let remove: () => void;
beforeEach(() => ({ dir: root, remove } = scratch()));
afterEach(() => remove());

const passed = { fullName: 'works', status: 'passed', failureMessages: [] };
const failed = {
  fullName: 'breaks',
  status: 'failed',
  failureMessages: ['\u001b[31mexpected 1\u001b[0m\n    at x.ts:1'],
};

function written(file: object): string {
  const output = join(root, 'results.json');
  const common = { name: join(root, 'libs/one/a.test.ts'), status: 'passed', message: '', startTime: 1_000 };
  mkdirSync(root, { recursive: true });
  writeFileSync(output, JSON.stringify({ testResults: [{ ...common, endTime: 3_500, ...file }] }));
  return output;
}

it('returns the counts, the seconds and the first lines of each error', () => {
  const file = written({ status: 'failed', assertionResults: [passed, failed] });
  expect(readResults(file, root)).toEqual([
    {
      path: 'libs/one/a.test.ts',
      passed: 1,
      seconds: 2.5,
      failures: [{ test: 'breaks', error: 'expected 1' }],
    },
  ]);
});

it('counts one failure for a file that could not be loaded', () => {
  const file = written({ status: 'failed', message: 'Cannot find module x', assertionResults: [] });
  expect(readResults(file, root)).toMatchObject([
    { passed: 0, failures: [{ test: '(the file itself)', error: 'Cannot find module x' }] },
  ]);
});

it('returns undefined for a run without a result file', () => {
  expect(readResults(join(root, 'none.json'), root)).toBeUndefined();
});
