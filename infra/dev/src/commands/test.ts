import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { say, step } from '../../bootstrap/report.mjs';
import { startBacking, type Backing } from '../backing.ts';
import { startTool } from '../processes/child.ts';
import { cloneRoot, stateRoot } from '../roots.ts';
import type { StopSignals } from '../stop-signals.ts';
import { nxEnv } from '../web-build.ts';
import { shareCores } from './cores.ts';
import { projectsWithTests, sumResults } from './results.ts';

const e2e = '@karaar/e2e';
const isolated = 256;
/** A test that hangs must not hold up a machine for ever. */
const longestRunMs = 40 * 60_000;

/**
 * `npm test`: unit and service tests of all projects, then the browser journeys. Goes on after
 * failures; the last line of the output is `N passed, N failed`.
 *
 * @returns exit code: 0 when everything passed
 */
export async function test(signals: StopSignals): Promise<number> {
  const { workspaces } = JSON.parse(readFileSync(join(cloneRoot, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const projects = projectsWithTests(cloneRoot, workspaces);
  for (const { dir } of projects) rmSync(join(dir, 'test-results.json'), { force: true });
  const journeys = projects.filter(({ name }) => name === e2e);
  const others = projects.filter(({ name }) => name !== e2e);

  const stateDir = join(stateRoot, 'npm-test');
  const backing = await step('Starting PostgreSQL, NATS and Redis for the tests', () =>
    startBacking({ stateDir, durable: false, isolated, env: testOverrides() }),
  );
  signals.onStop(() => backing.stop({ remove: true }));
  const share = shareCores(availableParallelism());
  let clean = await runNx(
    [
      'run-many',
      '-t',
      'test',
      `--parallel=${share.projects}`,
      '-p',
      others.map(({ name }) => name).join(','),
    ],
    { ...testEnv(backing), KARAAR_TEST_WORKERS: String(share.workers) },
  );
  if (journeys.length > 0) {
    // They start a whole product of their own and share nothing with the tests above but the code.
    await backing.stop({ remove: true });
    clean = (await runNx(['run', `${e2e}:test`, '--skip-nx-cache'], nxEnv())) && clean;
  }
  await backing.stop({ remove: true });

  const { passed, failed, uncounted } = sumResults(projects);
  for (const name of uncounted) say(`  !!  ${name} ended without counting its tests`);
  // A task may fail where every test passed: a build before it, a process that did not end well.
  const failures = failed === 0 && !clean ? 1 : failed;
  say(`${passed} passed, ${failures} failed`);
  return failures === 0 ? 0 : 1;
}

/** The person's own services for tests, under the names that the harness knows. */
function testOverrides(): NodeJS.ProcessEnv {
  const { TEST_DATABASE_URL, TEST_NATS_URL, TEST_REDIS_URL } = process.env;
  return { DATABASE_URL: TEST_DATABASE_URL, NATS_URL: TEST_NATS_URL, REDIS_URL: TEST_REDIS_URL };
}

function testEnv(backing: Backing): NodeJS.ProcessEnv {
  const ownOnes = backing.parts.length === 3;
  return {
    ...nxEnv(),
    TEST_DATABASE_URL: backing.postgresUrl,
    TEST_NATS_URL: backing.natsUrl,
    TEST_REDIS_URL: backing.redisUrl,
    TEST_ISOLATED: String(ownOnes ? isolated : 0),
  };
}

/** Runs Nx with its output on ours; true when all tasks ended well. */
async function runNx(args: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const nx = await startTool({
    name: 'nx',
    command: 'nx',
    args: [...args, '--output-style=static'],
    cwd: cloneRoot,
    env,
  });
  const limit = setTimeout(() => {
    say(`  !!  nx ${args.join(' ')} took more than ${longestRunMs / 60_000} minutes and is ended`);
    void nx.stop();
  }, longestRunMs);
  const { code } = await nx.exited;
  clearTimeout(limit);
  return code === 0;
}
