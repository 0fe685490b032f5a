import { commandLine, isAlive, parentOf, processIdentity } from '@karaar/testing/machine/liveness';

const highest = 4;

export interface ProcessTable {
  parentOf(pid: number): number | undefined;
  commandLine(pid: number): string | undefined;
}

/** Returns the ids from `first` up to npm. The shell above npm may end while the product runs. */
export function launchers(first: number, runByNpm: boolean, table: ProcessTable): number[] {
  const chain = [first];
  for (let pid: number | undefined = first; runByNpm && chain.length < highest;) {
    pid = table.parentOf(pid);
    if (pid === undefined || pid <= 1) break;
    chain.push(pid);
    if (/\bnpm\b/.test(table.commandLine(pid) ?? '')) return chain;
  }
  return [first];
}

/** Calls back once, when one of the processes that started this one has ended. */
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
  }, 1_000).unref();
}
