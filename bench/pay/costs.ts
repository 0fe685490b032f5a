/** The cost of a payment: the differences of a running product's counters before and after a number of payments. */
import type { Product } from '@karaar/dev/product';
import { processorMs } from '../lib/process.ts';
import { row, type Row } from '../lib/report.ts';
import { rows } from '../lib/rows.ts';
import { withBus } from './shares.ts';

type Counters = Record<string, number>;
export type Reading = Record<'cpuMs' | 'commits' | 'events' | 'wal', Counters>;

/** Reads the counters of a running product; processor time on Linux only. */
export async function readCosts(product: Product): Promise<Reading> {
  const url = product.backing.postgresUrl;
  const commits = await rows<{ name: string; n: string }>(
    url,
    `SELECT datname AS name, xact_commit AS n FROM pg_stat_database WHERE datname LIKE 'karaar_%'`,
  );
  const [wal] = await rows<{ syncs: string; bytes: string }>(
    url,
    `SELECT (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS syncs, wal_bytes AS bytes FROM pg_stat_wal`,
  );
  return {
    cpuMs: cpuOf(product),
    commits: Object.fromEntries(commits.map(({ name, n }) => [name.replace('karaar_', ''), Number(n)])),
    events: await withBus(product.backing.natsUrl, async ({ link }) => {
      const events: Counters = {};
      for await (const { config, state } of link.jsm.streams.list()) events[config.name] = state.last_seq;
      return events;
    }),
    wal: { syncs: Number(wal?.syncs), bytes: Number(wal?.bytes) },
  };
}

/** The caller is `bench`. */
function cpuOf({ processes, backing }: Product): Counters {
  if (process.platform !== 'linux') return {};
  const { user, system } = process.cpuUsage();
  const parts = [...processes, ...backing.parts].map(({ name, pid }) => [name, processorMs(pid)] as const);
  return { bench: (user + system) / 1_000, ...Object.fromEntries(parts) };
}

/** Returns the cost of each payment, in total and in the note for each process, database and stream. */
export function costRows(from: Reading, to: Reading, payments: number): Row[] {
  const each = (key: keyof Reading, name: string) =>
    ((to[key][name] ?? 0) - (from[key][name] ?? 0)) / payments;
  const sum = (what: string, key: keyof Reading, unit: string) => {
    const shares = Object.keys(to[key])
      .map((name): [string, number] => [name, each(key, name)])
      .filter(([, n]) => n > 0.005)
      .sort(([, a], [, b]) => b - a);
    const note = shares.map(([name, n]) => `${name} ${n.toFixed(2)}`).join(', ');
    return row(
      `${what} per payment`,
      shares.reduce((all, [, n]) => all + n, 0),
      unit,
      { note },
    );
  };
  return [
    sum('processor time', 'cpuMs', 'ms'),
    sum('commits', 'commits', ''),
    sum('messages stored', 'events', ''),
    row('syncs of the log per payment', each('wal', 'syncs'), '', {
      note: `${(each('wal', 'bytes') / 1_000).toFixed(1)} KB written`,
    }),
  ];
}
