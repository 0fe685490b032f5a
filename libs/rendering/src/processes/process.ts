import { spawn, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The wait for the last output of a program that has ended. */
const DRAIN_MS = 200;

export interface BoundedRun {
  /** The exit code; null after a signal. */
  code: number | null;
  /** The last 4 KB of stderr and stdout together. */
  output: string;
}

/**
 * Runs a program in its own process group. On abort the whole group gets SIGKILL, and the promise settles
 * after its end, so that no descendant outlives the deadline. The program also ends with this process.
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
      detached: true, // a new group, so that -pid addresses all of it
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
      // A process that left the group may keep our pipes open forever: read the available output, then close
      // them.
      const drained = new Promise<void>((done) => child.once('close', () => done()));
      void Promise.race([drained, sleep(DRAIN_MS)]).then(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ code, output });
      });
    });
  });
}

/** Sends SIGKILL to a process group and its leader; no error if it has ended. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // ESRCH: the group has ended.
    }
  }
}

/**
 * Sends SIGKILL to every process whose environment holds `marker`: descendants that left the process group
 * where no namespace ends them. Linux only; does nothing elsewhere.
 */
export const killMarked = (marker: string): Promise<void> => killWhere((variable) => variable === marker);

/** Sends SIGKILL to the programs in this folder that a killed process left. */
export const killLeftovers = (workDir: string): Promise<void> =>
  killWhere((variable) => variable.startsWith(`HOME=${workDir}/`));

async function killWhere(isMarked: (variable: string) => boolean): Promise<void> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''); // another user's process, or ended
    if (environment.split('\0').some(isMarked) && Number(pid) !== process.pid) killGroup(Number(pid));
  }
}

/** The isolation of a program: from other processes and the network, from the network, or none. */
export type Isolation = 'processes_and_network' | 'network' | 'none';

const PROCESSES = ['--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc'];
const AS_USER = ['--user', '--map-current-user'];

/** The strongest first; as root, else in a user namespace if the kernel allows it. */
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
 * Returns a command prefix that runs a program without network and ends all its descendants with it, by the
 * namespaces that the system allows. Tried once per process.
 */
export const isolated = (): readonly string[] => strongest().command;

/** Returns the isolation of the programs that read uploads in this process. Tried once. */
export const isolationOf = (): Isolation => strongest().kind;

let withDeath: readonly string[] | undefined;

/**
 * Returns a `setpriv` prefix: the kernel then ends the program with this process. Empty if there is no
 * `setpriv`.
 */
function withParent(): readonly string[] {
  const command = ['setpriv', '--pdeathsig', 'KILL', '--'];
  withDeath ??= works([...command, 'true']) ? command : [];
  return withDeath;
}

const limiters = new Map<string, readonly string[]>();

/**
 * Returns a `prlimit` prefix that limits the address space of every process; empty if there is no `prlimit`.
 */
export const withMemory = (bytes: number): readonly string[] => withLimit(`--as=${bytes}`);

/** Returns a `prlimit` prefix that limits the size of each written file. */
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
