/** The cost of a piece of work: the differences of a running product's counters before and after a number of pieces. */
import type { Product } from '@karaar/dev/product';
import { processorMs } from './process.ts';
import { row, type Row } from './report.ts';
import { rows } from './rows.ts';

type Counters = Record<string, number>;
export type Reading = { cpuMs: Counters; commits: Counters };

/** Reads the processor time of each process (on Linux only; the caller is `bench`), and the commits of each database. */
export async function readCosts({ processes, backing }: Product): Promise<Reading> {
  const commits = await rows<{ name: string; n: string }>(
    backing.postgresUrl,
    `SELECT replace(datname, 'karaar_', '') AS name, xact_commit AS n FROM pg_stat_database WHERE datname LIKE 'karaar_%'`,
  );
  const { user, system } = process.cpuUsage();
  const parts = process.platform === 'linux' ? [...processes, ...backing.parts] : [];
  const ofParts = parts.map(({ name, pid }) => [name, processorMs(pid)] as const);
  return {
    cpuMs: { bench: (user + system) / 1_000, ...Object.fromEntries(ofParts) },
    commits: Object.fromEntries(commits.map(({ name, n }) => [name, Number(n)])),
  };
}

/** Returns the cost of each piece of work, in total and in the note for each process and database. */
export function costRows(from: Reading, to: Reading, done: { count: number; of: string }): Row[] {
  const sum = (what: string, key: keyof Reading, unit: string) => {
    const shares = Object.entries(to[key])
      .map(([name, n]) => ({ name, n: (n - (from[key][name] ?? 0)) / done.count }))
      .filter(({ n }) => n > 0.005)
      .sort((a, b) => b.n - a.n);
    const total = shares.reduce((all, { n }) => all + n, 0);
    const note = shares.map(({ name, n }) => `${name} ${n.toFixed(2)}`).join(', ');
    return row(`${what} per ${done.of}`, total, unit, { note });
  };
  return [sum('processor time', 'cpuMs', 'ms'), sum('commits', 'commits', '')];
}
