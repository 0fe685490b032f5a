import { spawn, spawnSync } from 'node:child_process';

export interface BoundedRun {
  /** Exit code; null when a signal ended it. */
  code: number | null;
  /** The last 4 KB of stderr and stdout together. */
  output: string;
}

/**
 * Run a program in its own process group. When the signal fires the whole group gets SIGKILL, and the
 * promise settles once it is gone; so no descendant outlives the deadline.
 */
export function runBounded(
  command: readonly string[],
  options: { cwd: string; env: Record<string, string>; signal: AbortSignal },
): Promise<BoundedRun> {
  const [file, ...args] = command;
  if (file === undefined) throw new TypeError('An empty command cannot be run');
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
    child.once('close', (code) => {
      options.signal.removeEventListener('abort', kill);
      kill(); // a descendant that closed its streams and stayed
      resolve({ code, output });
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

let wrapper: Promise<readonly string[]> | undefined;

/**
 * The commands to put before a program so that it has no network: `unshare -n` (root), the same in a user
 * namespace (others, where the kernel allows it), or nothing. Tried once per process.
 */
export function withoutNetwork(): Promise<readonly string[]> {
  wrapper ??= Promise.resolve().then(() => {
    const candidates = [
      ['unshare', '--net', '--'],
      ['unshare', '--user', '--map-current-user', '--net', '--'],
    ];
    return candidates.find((c) => works([...c, 'true'])) ?? [];
  });
  return wrapper;
}

/** `prlimit` before a program bounds the address space of every process under it; nothing where absent. */
export function withMemory(bytes: number): readonly string[] {
  const command = ['prlimit', `--as=${bytes}`, '--core=0', '--'];
  return works([...command, 'true']) ? command : [];
}

function works(command: readonly string[]): boolean {
  const [file, ...args] = command;
  return file !== undefined && spawnSync(file, args, { stdio: 'ignore', timeout: 5000 }).status === 0;
}
