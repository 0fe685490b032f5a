import { readdirSync, readFileSync } from 'node:fs';

const MB = 1024 * 1024;
/** Kilobytes of a line such as `VmRSS:   1234 kB`. */
const line = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);

type Sample = { pid: number; parent: number; browser: boolean };

function processes(): Sample[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const browser = /chrom/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[0] ?? '');
        return [{ pid: Number(pid), parent: line(status, 'PPid'), browser }];
      } catch {
        return []; // it ended while it was looked at
      }
    });
}

/** Proportional set size: what processes share (the program itself) counts once among them. */
function ownKb(pid: number): number {
  try {
    return line(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss');
  } catch {
    return 0; // it ended while it was looked at
  }
}

/** Memory of this process and those below it, in MB: ours (Node), and Chromium's apart. */
function resident(): { ours: number; browser: number } {
  const all = processes();
  const mine = new Set([process.pid]);
  for (let grown = true; grown;) {
    const more = all.filter(({ pid, parent }) => mine.has(parent) && !mine.has(pid));
    for (const { pid } of more) mine.add(pid);
    grown = more.length > 0;
  }
  const sum = (browser: boolean): number =>
    all
      .filter((one) => mine.has(one.pid) && one.browser === browser)
      .reduce((kb, one) => kb + ownKb(one.pid), 0);
  return { ours: (sum(false) * 1024) / MB, browser: (sum(true) * 1024) / MB };
}

/** The largest memory while `work` runs, looked at every 25 ms. */
export async function peakWhile<T>(
  work: () => Promise<T>,
): Promise<{ result: T; ours: number; browser: number }> {
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
