import { spawn, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait for the last output of a program that has ended. */
const DRAIN_MS = 200;

export interface BoundedRun {
  /** Exit code; null when a signal ended it. */
  code: number | null;
  /** The last 4 KB of stderr and stdout together. */
  output: string;
}

/**
 * Run a program in its own process group. When the signal fires the whole group gets SIGKILL, and the
 * promise settles once it is gone; so no descendant outlives the deadline. The program ends with this process, too.
 */
export function runBounded(
  command: readonly string[],
  options: { cwd: string; env: Record<string, string>; signal: AbortSignal },
): Promise<BoundedRun> {
  const [file, ...args] = [...withParent(), ...command];
  if (command.length === 0 || file === undefined) throw new TypeError('An empty command cannot be run');
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true, // a group of its own, so that -pid means all of it
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-4096);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const kill = (): void => killGroup(child.pid);
    if (options.signal.aborted) kill();
    else options.signal.addEventListener('abort', kill, { once: true });
    child.once('error', (error) => {
      options.signal.removeEventListener('abort', kill);
      reject(error);
    });
    child.once('exit', (code) => {
      options.signal.removeEventListener('abort', kill);
      kill(); // descendants that stayed in the group
      // A process that left the group may hold our pipes open forever: read what is there, then close them.
      const drained = new Promise<void>((done) => child.once('close', () => done()));
      void Promise.race([drained, sleep(DRAIN_MS)]).then(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ code, output });
      });
    });
  });
}

/** SIGKILL to a process group and its leader; silent when it is gone already. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // ESRCH: nothing left to kill there.
    }
  }
}

/**
 * SIGKILL to every process whose environment holds `marker`: descendants that left the process group, where
 * no namespace ended them. Linux only; elsewhere it finds nothing.
 */
export const killMarked = (marker: string): Promise<void> => killWhere((variable) => variable === marker);

/**
 * SIGKILL to the programs that work below this folder, which a killed process has left.
 */
export const killLeftovers = (workDir: string): Promise<void> =>
  killWhere((variable) => variable.startsWith(`HOME=${workDir}/`));

async function killWhere(isMarked: (variable: string) => boolean): Promise<void> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''); // another user's, or gone
    if (environment.split('\0').some(isMarked) && Number(pid) !== process.pid) killGroup(Number(pid));
  }
}

/** What a program is kept from: other processes and the network, the network alone, or nothing. */
export type Isolation = 'processes_and_network' | 'network' | 'none';

const PROCESSES = ['--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc'];
const AS_USER = ['--user', '--map-current-user'];

/** The strongest first; as root, else in a user namespace where the kernel allows it. */
const CANDIDATES: readonly { kind: Isolation; command: readonly string[] }[] = [
  { kind: 'processes_and_network', command: ['unshare', '--net', ...PROCESSES, '--'] },
  { kind: 'processes_and_network', command: ['unshare', ...AS_USER, '--net', ...PROCESSES, '--'] },
  { kind: 'network', command: ['unshare', '--net', '--'] },
  { kind: 'network', command: ['unshare', ...AS_USER, '--net', '--'] },
];

let isolation: (typeof CANDIDATES)[number] | undefined;

function strongest(): (typeof CANDIDATES)[number] {
  isolation ??= CANDIDATES.find(({ command }) => works([...command, 'true'])) ?? {
    kind: 'none',
    command: [],
  };
  return isolation;
}

/**
 * The command to put before a program so that it has no network and so that all of its descendants end
 * with it, also those that leave its process group: namespaces of its own, as far as the system allows them. Tried once
 * per process.
 */
export const isolated = (): readonly string[] => strongest().command;

/** What the programs that read uploads are kept from, in this process. Tried once. */
export const isolationOf = (): Isolation => strongest().kind;

let withDeath: readonly string[] | undefined;

/** `setpriv` before a program has the kernel end it when this process is killed; nothing where absent. */
function withParent(): readonly string[] {
  const command = ['setpriv', '--pdeathsig', 'KILL', '--'];
  withDeath ??= works([...command, 'true']) ? command : [];
  return withDeath;
}

const limiters = new Map<string, readonly string[]>();

/** `prlimit` before a program bounds the address space of every process under it; nothing where absent. */
export const withMemory = (bytes: number): readonly string[] => withLimit(`--as=${bytes}`);

/** The same for the size of each file that it writes. */
export const withFileSize = (bytes: number): readonly string[] => withLimit(`--fsize=${bytes}`);

function withLimit(limit: string): readonly string[] {
  const known = limiters.get(limit);
  if (known) return known;
  const command = ['prlimit', limit, '--core=0', '--'];
  const limiter = works([...command, 'true']) ? command : [];
  limiters.set(limit, limiter);
  return limiter;
}

function works(command: readonly string[]): boolean {
  const [file, ...args] = command;
  return file !== undefined && spawnSync(file, args, { stdio: 'ignore', timeout: 5000 }).status === 0;
}
