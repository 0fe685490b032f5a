import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { say, step } from '../../bootstrap/report.mjs';
import { startBacking } from '../backing/backing.ts';
import { startTool } from '../processes/child.ts';
import { cloneRoot, stateRoot } from '../roots.ts';
import type { StopSignals } from '../processes/stop-signals.ts';
import { chooseTestBacking } from '../test-backing/choice.ts';
import { startTestBacking, type TestBacking } from '../test-backing/start.ts';
import { nxEnv } from '../web/web-build.ts';
import { shareCores, shareLanes } from './cores.ts';
import { projectsWithTests, readResults, removeResults } from './results.ts';
import { runFile } from './run-file.ts';
import { MOST_FLAKY, withSecondTry, type Outcome } from './second-try.ts';

const e2e = '@karaar/e2e';
const isolated = 256;
/** A test that hangs must not hold up a machine for ever. */
const longestRunMs = 40 * 60_000;

/**
 * `npm test`: unit and service tests of all projects, then the browser journeys; `npm run test:long` those that take minutes each. Goes on after
 * failures; a file that failed runs once more at the end, alone. The last line of the output is `N passed, N failed`.
 *
 * @returns exit code: 0 when everything passed
 */
export async function test(signals: StopSignals): Promise<number> {
  const { workspaces } = JSON.parse(readFileSync(join(cloneRoot, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const projects = projectsWithTests(
    cloneRoot,
    workspaces,
    process.env['KARAAR_TESTS'] === 'long' ? 'long' : 'short',
  );
  projects.forEach(removeResults);
  const journeys = projects.filter(({ name }) => name === e2e);
  const others = projects.filter(({ name }) => name !== e2e);

  const backing = await startServers();
  signals.onStop(() => backing.stop());
  const share = shareCores(availableParallelism());
  const env = { ...testEnv(backing), KARAAR_TEST_WORKERS: String(share.workers) };
  const lanes = await Promise.all(
    shareLanes(
      others.map(({ name }) => name),
      share.projects,
    ).map(({ projects: names, parallel }) =>
      runNx(['run-many', '-t', 'test', `--parallel=${parallel}`, '-p', names.join(',')], env),
    ),
  );
  let clean = lanes.every(Boolean);
  if (journeys.length > 0) {
    // They start a whole product of their own and share nothing with the tests above but the code.
    await backing.stop();
    clean = (await runNx(['run', `${e2e}:test`, '--skip-nx-cache'], nxEnv())) && clean;
  }
  await backing.stop();

  const results = projects.map((project) => ({ project, files: readResults(project) }));
  for (const { project, files } of results)
    if (files === undefined) say(`  !!  ${project.name} ended without a result`);
  const allPassed = results.every(({ files }) => files?.every(({ failures }) => failures.length === 0));
  const outcome = await withSecondTry(cloneRoot, results, (project, path) => {
    say(`\n  ..  Second try of ${path} in ${project.name}, alone`);
    return runFile(project, path);
  });
  // A task may fail although every test passed: a build before it, a process that did not end well.
  if (allPassed && !clean) outcome.failed += 1;
  return report(outcome);
}

/** Lists the flaky tests and prints the counts as the last line; answers the exit code. */
function report({ passed, failed, flakyFiles, flaky }: Outcome): number {
  if (flakyFiles > 0) {
    say(`flaky: ${flakyFiles}`);
    for (const { file, test, error } of flaky) say(`  ${file} > ${test}\n      ${error}`);
  }
  const tooMany = flakyFiles > MOST_FLAKY;
  if (tooMany) say(`  !!  more than ${MOST_FLAKY} flaky files: that counts as one failure`);
  const failures = failed + (tooMany ? 1 : 0);
  say(`${passed} passed, ${failures} failed`);
  return failures === 0 ? 0 : 1;
}

/** The servers of the tests; `ownOnes` tells that nobody else uses them. */
type Servers = TestBacking & { ownOnes: boolean };

/** The person's own services under the names that the harness knows, or those that `TEST_BACKING` chooses. */
async function startServers(): Promise<Servers> {
  const stateDir = join(stateRoot, 'npm-test');
  const { TEST_DATABASE_URL, TEST_NATS_URL, TEST_REDIS_URL } = process.env;
  if (TEST_DATABASE_URL || TEST_NATS_URL || TEST_REDIS_URL) {
    const env = { DATABASE_URL: TEST_DATABASE_URL, NATS_URL: TEST_NATS_URL, REDIS_URL: TEST_REDIS_URL };
    const given = await step('Starting the servers that no variable names', () =>
      startBacking({ stateDir, durable: false, isolated, env }),
    );
    const { postgresUrl, natsUrl, redisUrl } = given;
    return { postgresUrl, natsUrl, redisUrl, ownOnes: false, stop: () => given.stop({ remove: true }) };
  }
  const choice = await chooseTestBacking(process.env);
  const where = choice.kind === 'containers' ? ' in containers' : '';
  const started = await step(`Starting PostgreSQL, NATS and Redis for the tests${where}`, () =>
    startTestBacking(choice, { stateDir, isolated }),
  );
  return { ...started, ownOnes: true };
}

function testEnv(servers: Servers): NodeJS.ProcessEnv {
  return {
    ...nxEnv(),
    TEST_DATABASE_URL: servers.postgresUrl,
    TEST_NATS_URL: servers.natsUrl,
    TEST_REDIS_URL: servers.redisUrl,
    TEST_ISOLATED: String(servers.ownOnes ? isolated : 0),
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
