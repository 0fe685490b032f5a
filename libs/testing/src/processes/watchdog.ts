import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./watchdog.sh', import.meta.url));
const graceSeconds = 10;

let watchdog: ChildProcess | undefined;

/**
 * Puts a child under the watchdog: if this process ends in any way, SIGKILL included, the watchdog sends
 * `stopSignal` to the child, then kills its group.
 *
 * Node has no PR_SET_PDEATHSIG; a pipe that closes with this process is the portable equivalent.
 */
export function guard(pid: number, stopSignal: NodeJS.Signals): void {
  watchdog ??= startWatchdog();
  watchdog.stdin?.write(`+ ${pid} ${stopSignal.replace(/^SIG/, '')}\n`);
}

/** Removes an ended child from the watchdog's list, before the system can reuse its id. */
export function unguard(pid: number): void {
  watchdog?.stdin?.write(`- ${pid}\n`);
}

function startWatchdog(): ChildProcess {
  // Detached: Ctrl-C and a kill of the launcher's process group must not reach it.
  const started = spawn('sh', [script, String(graceSeconds)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  started.unref();
  const { stdin } = started;
  // Without it an idle pipe would keep the launcher (or a test run) from ending.
  if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  stdin?.on('error', () => {
    watchdog = undefined; // the watchdog was killed: the next child gets a new one
  });
  return started;
}
