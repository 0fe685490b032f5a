import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say, SetupError } from '@karaar/testing/machine/report';
import { startTool } from '@karaar/testing/processes/child';
import { cloneRoot } from '@karaar/testing/roots';
import { levelOf } from './levels.ts';
import { runFile } from './run-jest.ts';

const usage = 'Usage: npm run test:repeat -- FILE [--times 20] [--beside-load]';

/** `npm run test:repeat -- FILE`: runs a test file many times and prints how often each test failed. */
export async function repeat(args: readonly string[]): Promise<number> {
  const { file, times, besideLoad } = parse(args);
  const load = besideLoad ? await startLoad() : [];
  const failures = new Map<string, { times: number; error: string }>();
  let failedRuns = 0;
  for (let run = 1; run <= times; run += 1) {
    const result = await runFile(file);
    const failed = result?.failures ?? [{ test: '(the run)', error: 'ended without a result' }];
    if (failed.length > 0) failedRuns += 1;
    for (const { test, error } of failed)
      failures.set(test, { error, ...failures.get(test), times: (failures.get(test)?.times ?? 0) + 1 });
    say(`  ..  run ${run} of ${times}: ${failed.length === 0 ? 'passed' : 'failed'}`);
  }
  await Promise.all(load.map((child) => child.stop()));
  for (const [test, { times: count, error }] of failures)
    say(`${test}: failed ${count} of ${times} times; at first: ${error}`);
  say(`${times - failedRuns} passed, ${failedRuns} failed`);
  return failedRuns === 0 ? 0 : 1;
}

function parse(args: readonly string[]): { file: string; times: number; besideLoad: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        times: { type: 'string', default: '20' },
        'beside-load': { type: 'boolean', default: false },
      },
    });
    const [file] = positionals;
    const times = Number(values.times);
    if (file === undefined || positionals.length > 1) throw new Error('Name one test file');
    if (!Number.isInteger(times) || times < 1) throw new Error('--times is a number from 1');
    if (!existsSync(join(cloneRoot, file))) throw new Error(`The file ${file} does not exist`);
    if (levelOf(file) === undefined) throw new Error(`${file} is not a test file`);
    return { file, times, besideLoad: values['beside-load'] };
  } catch (error) {
    throw new SetupError(`${(error as Error).message}\n${usage}`);
  }
}

function startLoad() {
  return Promise.all(
    Array.from({ length: availableParallelism() }, (_, i) =>
      startTool({
        name: `load ${i}`,
        command: process.execPath,
        args: ['-e', 'for (;;) {}'],
        cwd: cloneRoot,
        env: process.env,
      }),
    ),
  );
}
