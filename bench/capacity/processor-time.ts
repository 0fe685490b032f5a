/** Processor time of processes with everything that they started, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks a second in which /proc counts; 100 on every Linux that Node runs on. */
const TICKS = 100;

type Stat = { parent: number; ticks: number };

/** Of a process; its own time and that of its children that have ended. Undefined when it is gone. */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    return { parent, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
  } catch {
    return undefined;
  }
}

/** Milliseconds that a process and all below it have used so far. */
export function processorMs(root: number): number {
  const all = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat) all.set(Number(name), stat);
  }
  const isBelow = (pid: number): boolean => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  let ticks = 0;
  for (const [pid, stat] of all) if (isBelow(pid)) ticks += stat.ticks;
  return (ticks / TICKS) * 1_000;
}

/** The parent of a process. */
export const parentOf = (pid: number): number => statOf(pid)?.parent ?? 0;
