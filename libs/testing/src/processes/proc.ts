/** The figures of Linux's /proc about processes. */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns a file of /proc; empty when the process has ended, or without /proc. */
export function procFile(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return '';
  }
}

/** Milliseconds of a clock tick in /proc: USER_HZ is 100 on every Linux that Node supports. */
const TICK_MS = 10;

/** Returns the parent of a process or thread, its processor time, and that of its children that have ended. */
export function statOf(path: string): { parent: number; ownMs: number; endedMs: number } {
  const text = procFile(`${path}/stat`);
  // The fields 3, 4, … follow the name in brackets, which may contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (field: number) => Number(fields[field - 3]);
  return { parent: at(4), ownMs: (at(14) + at(15)) * TICK_MS, endedMs: (at(16) + at(17)) * TICK_MS };
}

/** Returns a process and all processes below it. */
export function treeOf(root: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(pids.map((pid) => [pid, statOf(String(pid)).parent]));
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return pids.filter(isBelow);
}

/** Returns the memory of a process in MB; shared memory is divided among its processes. */
export const memoryMb = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(procFile(`${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
