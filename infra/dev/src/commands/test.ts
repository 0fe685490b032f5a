import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { say, SetupError } from '@karaar/testing/machine/report';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { smokeBenches } from './bench.ts';
import { stages, workersFor, type Stage, type TestCommand } from './levels.ts';
import type { FileResult } from './results.ts';
import { runFile, runJest } from './run-jest.ts';
import { MOST_FLAKY, withSecondTry, type Outcome } from './second-try.ts';

const longestStageMs = 40 * 60_000;
const SLOWEST = 10;

/**
 * `npm run test:unit`, `npm test` and `npm run test:all`: run the tests level by level, then each failed file
 * once more, alone. The last line of the output is `N passed, N failed`. Returns 0 if everything passed.
 * @param patterns Jest's patterns for paths; empty for all files
 * @throws SetupError if no test file matches
 */
export async function test(command: TestCommand, patterns: readonly string[]): Promise<number> {
  const begun = Date.now();
  const files: FileResult[] = [];
  const times: string[] = [];
  /** Runs that wrote no result, or failed although all their tests passed. */
  let brokenRuns = 0;
  const timed = async (name: string, run: () => Promise<void>): Promise<void> => {
    const start = Date.now();
    await run();
    times.push(`${name} ${seconds(Date.now() - start)} s`);
  };

  for (const stage of stages[command]) {
    const { level, browser } = stage;
    await timed(browser ? `${level} in ${browser}` : level, async () => {
      const run = await runJest(stage, jestArgs(stage, patterns), longestStageMs);
      const allPassed = run.files?.every(({ failures }) => failures.length === 0) ?? true;
      if (run.files === undefined) say(`  !!  the ${level} tests ended without a result`);
      if (run.files === undefined || (allPassed && !run.ok)) brokenRuns += 1;
      files.push(...(run.files ?? []));
    });
  }
  if (files.length === 0 && brokenRuns === 0)
    throw new SetupError(`No test of \`npm run ${command.replace('-', ':')}\` matches ${patterns.join(' ')}`);
  let benches = { passed: 0, failed: 0 };
  if (command === 'test-all' && patterns.length === 0)
    await timed('benches', async () => {
      benches = await smokeBenches();
    });

  const outcome = await withSecondTry(files, ({ path, browser }) => {
    say(`\n  ..  Second try of ${path}, alone`);
    return runFile(path, browser);
  });
  outcome.passed += benches.passed;
  outcome.failed += benches.failed + brokenRuns + Number(process.env['FAILED_CHECKS'] ?? 0);
  say(`\nslowest files:`);
  for (const { path, seconds: s } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    say(`  ${s.toFixed(0).padStart(4)} s  ${path}`);
  say(`time: ${times.join(', ')}`);
  const isComplete = patterns.length === 0 && command !== 'test-unit' && existsSync(join(cloneRoot, '.git'));
  return report(outcome, isComplete ? begun : undefined);
}

function jestArgs({ level, within = '' }: Stage, patterns: readonly string[]): string[] {
  // A file must match both, but Jest treats several patterns as alternatives.
  const matching = patterns.map((pattern) => (within === '' ? pattern : `(?=.*${within}).*${pattern}`));
  if (matching.length === 0 && within !== '') matching.push(within);
  return [`--maxWorkers=${workersFor(level, availableParallelism())}`, '--passWithNoTests', ...matching];
}

/**
 * Prints the flaky tests and the counts, and records a complete run, if `begun` is set, in
 * `.karaar/gate.jsonl`.
 */
function report({ passed, failed, flakyFiles, flaky }: Outcome, begun: number | undefined): number {
  if (flakyFiles > 0) {
    say(`flaky: ${flakyFiles}`);
    for (const { file, test: name, error } of flaky) say(`  ${file} > ${name}\n      ${error}`);
  }
  const tooMany = flakyFiles > MOST_FLAKY;
  if (tooMany) say(`  !!  more than ${MOST_FLAKY} flaky files: that counts as one failure`);
  const failures = failed + (tooMany ? 1 : 0);
  if (begun !== undefined) {
    const line = {
      ...state(),
      passed,
      failed: failures,
      flaky: flakyFiles,
      seconds: seconds(Date.now() - begun),
    };
    appendFileSync(join(stateRoot, 'gate.jsonl'), `${JSON.stringify(line)}\n`);
  }
  say(`${passed} passed, ${failures} failed`);
  return failures === 0 ? 0 : 1;
}

function state(): { tree: string; dirty: boolean } {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: cloneRoot, encoding: 'utf8' }).trim();
  return { tree: git('rev-parse', 'HEAD^{tree}'), dirty: git('status', '--porcelain') !== '' };
}

const seconds = (ms: number): number => Math.round(ms / 1000);
