/** What a payment costs: processor time of each process, commits, syncs and facts, as differences of two readings. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import { connectBus, type Bus } from '@karaar/platform/bus';
import { createLogger } from '@karaar/platform/logging';
import pg from 'pg';

/** Clock ticks of /proc per second: USER_HZ, which is 100 on every Linux that Node runs on. */
const TICKS_PER_S = 100;
/** How long the events of the preparation may take. */
const APPLIED_MS = 120_000;

type Sums = Map<string, number>;
export type Reading = { cpuMs: Sums; commits: Sums; facts: Sums; walSyncs: number; walBytes: number };

/** Reads the counters of a running product; processor time on Linux only. */
export async function readCosts(product: Product): Promise<Reading> {
  const client = new pg.Client({ connectionString: product.backing.postgresUrl });
  await client.connect();
  try {
    const commits = await client.query<{ name: string; n: string }>(
      `SELECT datname AS name, xact_commit AS n FROM pg_stat_database WHERE datname LIKE 'karaar_%'`,
    );
    const wal = await client.query<{ syncs: string; bytes: string }>(
      `SELECT (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS syncs, wal_bytes AS bytes FROM pg_stat_wal`,
    );
    return {
      cpuMs: cpuOf(product),
      commits: new Map(commits.rows.map(({ name, n }) => [name.replace('karaar_', ''), Number(n)])),
      facts: await factsOf(product.backing.natsUrl),
      walSyncs: Number(wal.rows[0]?.syncs ?? 0),
      walBytes: Number(wal.rows[0]?.bytes ?? 0),
    };
  } finally {
    await client.end();
  }
}

export type Costs = {
  /** Milliseconds of processor time per payment, by process, the dearest first; the caller is `bench`. */
  cpuMs: [string, number][];
  commits: [string, number][];
  /** Messages in streams, by stream. */
  facts: [string, number][];
  walSyncs: number;
  walKB: number;
};

export function costsPerPayment(from: Reading, to: Reading, payments: number): Costs {
  const per = (before: Sums, after: Sums): [string, number][] =>
    [...after]
      .map(([name, n]): [string, number] => [name, (n - (before.get(name) ?? 0)) / payments])
      .filter(([, n]) => n > 0.005)
      .sort(([, a], [, b]) => b - a);
  return {
    cpuMs: per(from.cpuMs, to.cpuMs),
    commits: per(from.commits, to.commits),
    facts: per(from.facts, to.facts),
    walSyncs: (to.walSyncs - from.walSyncs) / payments,
    walKB: (to.walBytes - from.walBytes) / payments / 1_000,
  };
}

export const total = (sums: readonly [string, number][]): number => sums.reduce((all, [, n]) => all + n, 0);

export const inWords = (sums: readonly [string, number][]): string =>
  sums.map(([name, n]) => `${name} ${n.toFixed(2)}`).join(', ');

function cpuOf(product: Product): Sums {
  if (process.platform !== 'linux') return new Map();
  const parents = [...product.processes, ...product.backing.parts];
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = all.map((pid) => [Number(pid), statOf(pid)] as const);
  const own = process.cpuUsage();
  return new Map([
    ['bench', (own.user + own.system) / 1_000],
    ...parents.map(({ name, pid }): [string, number] => {
      const mine = stats.find(([one]) => one === pid)?.[1];
      const children = stats.flatMap(([, stat]) => (stat?.parent === pid ? [stat.own] : []));
      const ticks = (mine ? mine.own + mine.ended : 0) + children.reduce((sum, n) => sum + n, 0);
      return [name, (ticks * 1_000) / TICKS_PER_S];
    }),
  ]);
}

type Stat = { parent: number; own: number; ended: number };

/** Processor time of a process, and of its children that have ended; undefined for a process that is gone. */
function statOf(pid: string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // After the name, which may hold anything: state, parent, …; utime is the 14th field of all.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (n: number) => Number(fields[n - 3]);
  return { parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) };
}

const factsOf = (url: string): Promise<Sums> =>
  withBus(url, async (bus) => {
    const facts: Sums = new Map();
    for await (const { config, state } of bus.link.jsm.streams.list()) facts.set(config.name, state.last_seq);
    return facts;
  });

/**
 * Waits until every service has applied every event: what the preparation caused is not to be worked on beside the
 * payments that are measured.
 * @throws Error when that takes more than two minutes
 */
export const factsApplied = ({ backing }: Product): Promise<void> =>
  withBus(backing.natsUrl, async (bus) => {
    for (const until = Date.now() + APPLIED_MS; ; await sleep(200)) {
      const behind: string[] = [];
      for await (const { config } of bus.link.jsm.streams.list())
        for await (const { name, num_pending, num_ack_pending } of bus.link.jsm.consumers.list(config.name))
          if (num_pending + num_ack_pending > 0) behind.push(`${name} ${num_pending + num_ack_pending}`);
      if (behind.length === 0) return;
      if (Date.now() > until) throw new Error(`events still wait: ${behind.join(', ')}`);
    }
  });

async function withBus<T>(url: string, act: (bus: Bus) => Promise<T>): Promise<T> {
  const bus = await connectBus({
    url,
    name: 'bench',
    logger: createLogger({ name: 'bench', level: 'warn' }),
  });
  try {
    return await act(bus);
  } finally {
    await bus.close();
  }
}
