import type { FileResult } from './results.ts';
import { withSecondTry } from './second-try.ts';

const file = (path: string, passed: number, ...failed: string[]): FileResult => ({
  path,
  passed,
  seconds: 1,
  failures: failed.map((test) => ({ test, error: `${test} broke` })),
});
const run = (files: FileResult[], second: (path: string) => FileResult | undefined) =>
  withSecondTry(files, ({ path }) => Promise.resolve(second(path)));
const never = () => {
  throw new Error('no second try is expected');
};

it('retries no file when all passed', async () => {
  const outcome = await run([file('a.test.ts', 3), file('b.test.ts', 4)], never);
  expect(outcome).toEqual({ passed: 7, failed: 0, flakyFiles: 0, flaky: [] });
});

it('counts a file that passes on the second try as passed, and lists its first errors as flaky', async () => {
  const outcome = await run([file('src/a.test.ts', 3, 'x', 'y'), file('b.test.ts', 4)], (path) =>
    file(path, 5),
  );
  expect(outcome).toEqual({
    passed: 9,
    failed: 0,
    flakyFiles: 1,
    flaky: ['x', 'y'].map((test) => ({ file: 'src/a.test.ts', test, error: `${test} broke` })),
  });
});

it('counts the second result of a file that fails twice, and does not list it as flaky', async () => {
  const outcome = await run([file('a.test.ts', 3, 'x', 'y')], (path) => file(path, 4, 'z'));
  expect(outcome).toEqual({ passed: 4, failed: 1, flakyFiles: 0, flaky: [] });
});

it('counts one failure for a second try that ends without a result', async () => {
  const outcome = await run([file('a.test.ts', 3, 'x')], () => undefined);
  expect(outcome).toEqual({ passed: 0, failed: 1, flakyFiles: 0, flaky: [] });
});

it('retries no file when more than twenty failed', async () => {
  const files = Array.from({ length: 21 }, (_, i) => file(`${i}.test.ts`, 1, 'x'));
  expect(await run(files, never)).toEqual({ passed: 21, failed: 21, flakyFiles: 0, flaky: [] });
});
