import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '@karaar/testing/machine/report';
import { startTool } from '@karaar/testing/processes/child';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { levelOf, type Level } from './levels.ts';
import { readResults, type FileResult } from './results.ts';

const outputFile = join(stateRoot, 'test-results.json');

/**
 * Runs Jest on tests of one level, with its output on ours.
 *
 * @param args further arguments for Jest
 * @param longestMs the run is ended after this time, so that a test that hangs does not hold up a machine forever
 */
export async function runJest(
  level: Level,
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
    env: { ...process.env, FORCE_COLOR: '0', KARAAR_LEVEL: level },
  });
  const limit = setTimeout(() => {
    say(`  !!  the ${level} tests took more than ${longestMs / 60_000} minutes and are ended`);
    void jest.stop();
  }, longestMs);
  const { code } = await jest.exited;
  clearTimeout(limit);
  return { ok: code === 0, files: readResults(outputFile, cloneRoot) };
}

/**
 * Runs one test file alone, for ten minutes at most.
 *
 * @param path relative to the clone
 * @returns its result, or undefined when the run ended without one
 */
export async function runFile(path: string): Promise<FileResult | undefined> {
  const level = levelOf(path);
  if (level === undefined) throw new Error(`${path} is not a test file`);
  const { ok, files } = await runJest(level, ['--runTestsByPath', path], 10 * 60_000);
  const result = files?.[0];
  // Every test may pass and the run still fail, as when the set-up that files share does.
  if (result?.failures.length === 0 && !ok)
    return { ...result, failures: [{ test: '(the run)', error: 'ended with an error' }] };
  return result;
}
