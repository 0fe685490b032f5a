/** The cost of a payment: processor time of each process, commits, syncs and events, as differences of two readings. */
import type { Product } from '@karaar/dev/product';
import { processorMs } from '../lib/process.ts';
import { rows } from '../lib/rows.ts';
import { withBus } from './shares.ts';

type Sums = Map<string, number>;
export type Reading = { cpuMs: Sums; commits: Sums; events: Sums; walSyncs: number; walBytes: number };

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
    commits: new Map(commits.map(({ name, n }) => [name.replace('karaar_', ''), Number(n)])),
    events: await withBus(product.backing.natsUrl, async ({ link }) => {
      const events: Sums = new Map();
      for await (const { config, state } of link.jsm.streams.list()) events.set(config.name, state.last_seq);
      return events;
    }),
    walSyncs: Number(wal?.syncs ?? 0),
    walBytes: Number(wal?.bytes ?? 0),
  };
}

function cpuOf({ processes, backing }: Product): Sums {
  if (process.platform !== 'linux') return new Map();
  const { user, system } = process.cpuUsage();
  return new Map([
    ['bench', (user + system) / 1_000],
    ...[...processes, ...backing.parts].map(({ name, pid }): [string, number] => [name, processorMs(pid)]),
  ]);
}

type Shares = [name: string, value: number][];

/** Differences of two readings for each payment, the largest first; the caller is `bench`. */
export function costsPerPayment(from: Reading, to: Reading, payments: number) {
  const per = (key: 'cpuMs' | 'commits' | 'events'): Shares =>
    [...to[key]]
      .map(([name, n]): Shares[number] => [name, (n - (from[key].get(name) ?? 0)) / payments])
      .filter(([, n]) => n > 0.005)
      .sort(([, a], [, b]) => b - a);
  const sums: Record<string, [unit: string, Shares]> = {
    'processor time': ['ms', per('cpuMs')],
    commits: ['', per('commits')],
    'messages kept': ['', per('events')],
  };
  return {
    sums,
    walSyncs: (to.walSyncs - from.walSyncs) / payments,
    walKB: (to.walBytes - from.walBytes) / payments / 1_000,
  };
}

export const total = (shares: Shares): number => shares.reduce((all, [, n]) => all + n, 0);
