/** What else stands still while payments do: this process, the disk, the database. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Row } from '../lib/report.ts';

const EVERY_MS = 100;
const BLOCK = Buffer.alloc(8_192);

type Worst = { ms: number; atS: number };
type Checkpoints = { count: number; syncMs: number };

/** Backends of all services that wait, by what for; the most at one look. */
const WAITING = `select coalesce(wait_event, 'processor') as event, count(*)::int as count from pg_stat_activity
  where state = 'active' and pid <> pg_backend_pid() group by 1 order by 2 desc`;
const CHECKPOINTS = `select (num_timed + num_requested)::int as count, sync_time as "syncMs" from pg_stat_checkpointer`;

/** Starts to look. @returns ends it and says what was worst, for the report */
export async function watchStalls(databaseUrl: string): Promise<() => Promise<Row[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-stalls-'));
  const file = await open(join(folder, 'block'), 'w');
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bench-stalls' });
  await client.connect();
  const checkpoints = async (): Promise<Checkpoints> =>
    (await client.query<Checkpoints>(CHECKPOINTS)).rows[0] ?? { count: 0, syncMs: 0 };
  const before = await checkpoints();
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const begun = performance.now();
  const sync: Worst = { ms: 0, atS: 0 };
  const busiest = { count: 0, text: '', atS: 0 };
  const done = new AbortController();
  const secondsSince = (): number => (performance.now() - begun) / 1_000;

  const everySoOften = async (look: () => Promise<void>): Promise<void> => {
    while (!done.signal.aborted) {
      await look();
      await sleep(EVERY_MS);
    }
  };
  const looks = [
    everySoOften(async () => {
      const from = performance.now();
      await file.write(BLOCK, 0, BLOCK.length, 0);
      await file.datasync();
      const ms = performance.now() - from;
      if (ms > sync.ms) Object.assign(sync, { ms, atS: secondsSince() });
    }),
    everySoOften(async () => {
      const { rows } = await client.query<{ event: string; count: number }>(WAITING);
      const count = rows.reduce((sum, row) => sum + row.count, 0);
      const text = rows.map((row) => `${row.count} ${row.event}`).join(', ');
      if (count > busiest.count) Object.assign(busiest, { count, text, atS: secondsSince() });
    }),
  ];
  return async () => {
    done.abort();
    await Promise.all(looks);
    loop.disable();
    const after = await checkpoints();
    await Promise.all([client.end(), file.close()]);
    await rm(folder, { recursive: true, force: true });
    return [
      { what: 'longest pause of the caller', value: loop.max / 1e6, unit: 'ms' },
      {
        what: 'longest sync of 8 KB beside it',
        value: sync.ms,
        unit: 'ms',
        note: `in second ${sync.atS.toFixed(1)}`,
      },
      {
        what: 'most statements at work at once',
        value: busiest.count,
        unit: '',
        note: `in second ${busiest.atS.toFixed(1)}: ${busiest.text}`,
      },
      {
        what: 'checkpoints of the database',
        value: after.count - before.count,
        unit: '',
        note: `${Math.round(after.syncMs - before.syncMs)} ms of syncing`,
      },
    ];
  };
}
