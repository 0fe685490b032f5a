/** `npm start`: its output, and its end without remaining processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive, signal, waitGone } from '@karaar/testing/machine/liveness';

const root = fileURLToPath(new URL('..', import.meta.url));
const stateDir = mkdtempSync(join(tmpdir(), 'karaar-start-'));
// If this is root, PostgreSQL runs as another user, who needs access to this folder.
chmodSync(stateDir, 0o755);
const startMs = 240_000;
const stopMs = 30_000;

interface Run {
  npm: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
}
interface Known {
  name: string;
  pid: number;
  identity: string;
}

/** The processes of `npm start`: backing services, the product, and the sandbox of external providers. */
const PROCESSES = [
  'auth',
  'broker-admin',
  'cms',
  'converter',
  'documents',
  'gateway',
  'messaging',
  'nats',
  'notifications',
  'payments',
  'postgres',
  'redis',
  'sandbox',
  'vision',
  'wallet',
  'witness',
].map((name) => `${name}.json`);

let runs: Run[] = [];

afterAll(async () => {
  for (const { npm } of runs) npm.kill('SIGTERM');
  await Promise.all(runs.map(({ ended }) => ended));
  for (const { pid, identity } of known()) await waitGone(pid, identity, stopMs);
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 10 });
}, 60_000);

/** Runs `npm start` in a new process group, as a terminal does. */
function npmStart(): Run {
  const env = { ...process.env, KARAAR_STATE: stateDir, PORT: '0' };
  const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  const ended = new Promise<number | null>((resolve) => npm.once('close', resolve));
  const run = { npm, output: () => text, ended };
  runs = [...runs, run];
  return run;
}

/** Waits for the table at the end of the output. @returns the address in it */
async function ready(run: Run): Promise<string> {
  const deadline = Date.now() + startMs;
  let over = false;
  void run.ended.then(() => (over = true));
  for (;;) {
    const url = /Open +(http:\S+)/.exec(run.output())?.[1];
    if (url !== undefined && run.output().includes('└')) return url;
    if (over || Date.now() > deadline) throw new Error(`npm start did not become ready:\n${run.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns the processes that the launcher has recorded. */
function known(): Known[] {
  const folder = join(stateDir, 'run');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file,
      ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<Known, 'name'>),
    }));
}

async function health(url: string): Promise<unknown> {
  return (await fetch(`${url}/api/health`)).json();
}

const launcherPid = (): number =>
  (JSON.parse(readFileSync(join(stateDir, 'start.lock'), 'utf8')) as Known).pid;

it(
  'becomes ready and prints all addresses; a second one reports the first; Ctrl-C ends all processes',
  async () => {
    const first = npmStart();
    const url = await ready(first);
    for (const text of ['9000000001', 'karaar-admin', '/dev/sms', '/api/docs'])
      expect(first.output()).toContain(text);
    expect(await health(url)).toMatchObject({
      status: 'ok',
      services: { auth: 'ok', documents: 'ok', vision: 'ok' },
    });
    const processes = known();
    expect(processes.map(({ name }) => name).sort()).toEqual(PROCESSES);

    const second = npmStart();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`Karaar already runs from this clone: ${url}`);

    signal(-(first.npm.pid ?? 0), 'SIGINT');
    await first.ended;
    expect(first.output()).toContain('Stopped.');
    expect(processes.filter(({ pid, identity }) => isAlive(pid, identity))).toEqual([]);
  },
  startMs + 60_000,
);

it(
  'ends when npm is killed with SIGKILL, and starts again after the launcher was killed with SIGKILL',
  async () => {
    const first = npmStart();
    await ready(first);
    const processes = known();
    first.npm.kill('SIGKILL');
    for (const { name, pid, identity } of processes)
      expect([name, await waitGone(pid, identity, stopMs)]).toEqual([name, true]);

    const second = npmStart();
    await ready(second);
    signal(launcherPid(), 'SIGKILL');
    await second.ended;
    const third = npmStart();
    expect(await health(await ready(third))).toMatchObject({ status: 'ok' });
    signal(-(third.npm.pid ?? 0), 'SIGINT');
    await third.ended;
  },
  3 * startMs,
);
