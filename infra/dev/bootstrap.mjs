// First step of `npm start`, `npm test` and other commands. It runs on Node 20 or newer with no package
// installed, installs what is missing, and starts main.ts on Node 24.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock, waitForLock } from '../../libs/testing/src/machine/lock.mjs';
import { ensureNode, installPackages } from './bootstrap/packages.mjs';
import {
  installDebian,
  installPlan,
  lookAtHost,
  missingError,
  missingPrograms,
} from '../../libs/testing/src/machine/programs.mjs';
import { say, SetupError, step } from '../../libs/testing/src/machine/report.mjs';
import { searchPath } from '../../libs/testing/src/machine/run.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const state = join(root, '.karaar');
const testing = ['test', 'test-unit', 'test-all', 'test-repeat', 'test-deployment'];
const commands = ['start', 'dev', ...testing, 'bench', 'k8s-check', 'install'];
const usage = `Usage: node infra/dev/bootstrap.mjs ${commands.join(' | ')}`;

const [command = '', ...args] = process.argv.slice(2);
try {
  if (!commands.includes(command)) throw new SetupError(usage);
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new SetupError(
      `This is Node ${process.versions.node}; Karaar needs 20 or newer: https://nodejs.org`,
    );
  }
  mkdirSync(state, { recursive: true });
  const node = await setUp(command);
  if (command !== 'install') await handOver(node);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`\n${error.message}\n`);
  process.exitCode = 1;
}

/** Installs what is missing; returns the path of Node 24. */
async function setUp(goal) {
  const release = await installLock();
  try {
    // In parallel; if one fails, the other still finishes.
    const [packages, programs] = await Promise.allSettled([
      setUpPackages(),
      // Unit tests start no program.
      goal === 'test-unit' ? undefined : setUpPrograms(goal),
    ]);
    for (const result of [packages, programs]) if (result.status === 'rejected') throw result.reason;
    return packages.value;
  } finally {
    release();
  }
}

async function setUpPackages() {
  const log = join(state, 'logs', 'npm.log');
  await installPackages(root, log);
  return ensureNode(root, log);
}

async function setUpPrograms(goal) {
  const path = searchPath(root);
  const missing = missingPrograms(process.env, path, goal);
  if (missing.length === 0) return;
  const plan = installPlan(missing, await lookAtHost(path));
  if (plan.apt.length > 0) {
    const log = join(state, 'logs', 'apt.log');
    await step(`Installing Debian packages (${plan.apt.join(', ')})`, () => installDebian(plan.apt, log));
  }
  for (const name of plan.docker) say(`  ok  ${name} will run in Docker`);
  if (plan.byHand.length > 0) throw missingError(plan.byHand);
}

/** Two first starts at the same moment: the second waits for the first one's installation. */
async function installLock() {
  const file = join(state, 'install.lock');
  const lock = takeLock(file);
  if (lock.taken) return lock.release;
  return step('Waiting for another process that installs packages here', () => waitForLock(file));
}

/** Runs main.ts on Node 24, passes signals on to it, and ends with its exit code. */
async function handOver(node) {
  const child = spawn(node, [join(root, 'infra', 'dev', 'src', 'main.ts'), command, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: {
      // Cached bytecode saves each of the many processes a third of its start.
      NODE_COMPILE_CACHE: join(state, 'cache', 'node'),
      ...process.env,
      PATH: searchPath(root),
    },
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, by) => {
      process.exitCode = code ?? 128 + constants.signals[by];
      resolve();
    });
  });
}
