import { commandLine, isAlive, parentOf, processIdentity } from '@karaar/testing/machine/liveness';

const lookMs = 1_000;
const highest = 4;

/** What one can find out about processes. */
export interface ProcessTable {
  parentOf(pid: number): number | undefined;
  commandLine(pid: number): string | undefined;
}

/**
 * The processes that stand for the person who started this one: the bootstrap and, when npm runs it,
 * everything up to npm. (Above npm is a shell, which may leave while the product goes on.)
 *
 * @param first the parent of this process
 */
export function launchers(first: number, runByNpm: boolean, table: ProcessTable): number[] {
  const chain = [first];
  if (!runByNpm) return chain;
  for (
    let pid = table.parentOf(first);
    pid !== undefined && pid > 1 && chain.length < highest;
    pid = table.parentOf(pid)
  ) {
    chain.push(pid);
    if (/\bnpm\b/.test(table.commandLine(pid) ?? '')) return chain;
  }
  return [first];
}

/** Calls back once, when one of the processes that started this one is gone. */
export function whenLauncherGone(callback: () => void): void {
  const runByNpm = process.env['npm_lifecycle_event'] !== undefined;
  const watched = launchers(process.ppid, runByNpm, { parentOf, commandLine }).map((pid) => ({
    pid,
    identity: processIdentity(pid),
  }));
  const timer = setInterval(() => {
    if (watched.every(({ pid, identity }) => identity !== undefined && isAlive(pid, identity))) return;
    clearInterval(timer);
    callback();
  }, lookMs);
  timer.unref();
}
