import { join } from 'node:path';
import { say } from '../../bootstrap/report.mjs';
import { startTool } from '../processes/child.ts';
import { cloneRoot } from '../roots.ts';
import { nxEnv } from '../web/web-build.ts';
import { readResults, removeResults, type FileResult, type TestProject } from './results.ts';

const longestMs = 10 * 60_000;

/**
 * Runs one test file alone, with its output on ours. It uses the servers that the test processes of this clone share.
 *
 * @param path relative to the project's folder
 * @returns its result, or undefined when the run ended without one or took more than ten minutes
 */
export async function runFile(project: TestProject, path: string): Promise<FileResult | undefined> {
  removeResults(project);
  const jest = join(cloneRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = await startTool({
    name: path,
    command: process.execPath,
    args: ['--experimental-vm-modules', jest, '--runTestsByPath', path],
    cwd: project.dir,
    env: { ...nxEnv(), ...(path.endsWith('.long.test.ts') ? { KARAAR_TESTS: 'long' } : {}) },
  });
  const limit = setTimeout(() => {
    say(`  !!  ${path} took more than ${longestMs / 60_000} minutes and is ended`);
    void child.stop();
  }, longestMs);
  const { code } = await child.exited;
  clearTimeout(limit);
  const result = readResults(project)?.[0];
  // Every test may pass and the run still fail, as when the file's set-up of the whole run does.
  if (result?.failures.length === 0 && code !== 0)
    return { ...result, failures: [{ test: '(the run)', error: `ended with code ${code}` }] };
  return result;
}
