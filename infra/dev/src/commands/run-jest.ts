import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '@karaar/testing/machine/report';
import { startTool } from '@karaar/testing/processes/child';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { levelOf, type Stage } from './levels.ts';
import { readResults, type FileResult } from './results.ts';

const outputFile = join(stateRoot, 'test-results.json');

/** Runs the tests of a stage, with Jest's output on ours. @param longestMs stops a run that hangs */
export async function runJest(
  { level, browser }: Pick<Stage, 'level' | 'browser'>,
  args: readonly string[],
  longestMs: number,
): Promise<{ ok: boolean; files: FileResult[] | undefined }> {
  rmSync(outputFile, { force: true });
  const jest = await startTool({
    name: 'jest',
    command: process.execPath,
    args: [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(cloneRoot, 'node_modules', 'jest', 'bin', 'jest.js'),
      '--json',
      `--outputFile=${outputFile}`,
      ...args,
    ],
    cwd: cloneRoot,
    env: {
      ...process.env,
      FORCE_COLOR: '0',
      KARAAR_LEVEL: level,
      KARAAR_BROWSER: browser ?? process.env['KARAAR_BROWSER'],
    },
  });
  const limit = setTimeout(() => {
    say(`  !!  the ${level} tests took more than ${longestMs / 60_000} minutes and are ended`);
    void jest.stop();
  }, longestMs);
  const { code } = await jest.exited;
  clearTimeout(limit);
  const files = readResults(outputFile, cloneRoot);
  return { ok: code === 0, files: files?.map((file) => ({ ...file, browser })) };
}

/** Runs one test file alone, for at most ten minutes; undefined if the run wrote no result. */
export async function runFile(path: string, browser?: Stage['browser']): Promise<FileResult | undefined> {
  const level = levelOf(path);
  if (level === undefined) throw new Error(`${path} is not a test file`);
  const { ok, files } = await runJest({ level, browser }, ['--runTestsByPath', path], 10 * 60_000);
  const result = files?.[0];
  // A run can fail although every test passes, for example in a shared set-up.
  if (result?.failures.length === 0 && !ok)
    return { ...result, failures: [{ test: '(the run)', error: 'ended with an error' }] };
  return result;
}
