import { readFileSync } from 'node:fs';
import { treeOf } from '../lib/process.ts';

type Memory = { ours: number; browser: number };

/** A file of a process in /proc; empty when the process has ended meanwhile. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/**
 * Memory of this process and those below it, in MB: ours (Node), and Chromium's apart. It is the proportional set size,
 * in which memory that processes share (the program itself) counts once among them.
 */
function resident(): Memory {
  const memory: Memory = { ours: 0, browser: 0 };
  for (const pid of treeOf(process.pid)) {
    const isBrowser = /chrom/.test(read(pid, 'cmdline').split('\0')[0] ?? '');
    const kb = Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0);
    memory[isBrowser ? 'browser' : 'ours'] += kb / 1024;
  }
  return memory;
}

/** The largest memory while `work` runs, looked at every 25 ms. */
export async function peakWhile<T>(work: () => Promise<T>): Promise<{ result: T } & Memory> {
  let peak = resident();
  const timer = setInterval(() => {
    const now = resident();
    peak = { ours: Math.max(peak.ours, now.ours), browser: Math.max(peak.browser, now.browser) };
  }, 25);
  try {
    return { result: await work(), ...peak };
  } finally {
    clearInterval(timer);
  }
}
