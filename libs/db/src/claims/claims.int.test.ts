import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { createDb, type Db } from '../db-kit/index.ts';
import { startWorker } from '@karaar/base/worker';
import { claimDue, inMs, isFree } from './index.ts';

type Job = { id: number; attempts: number; lease_until: Date | null; note: string };

let database: TestDatabase;
let db: Db<unknown>;

const open = () => createDb<unknown>({ url: database.url, max: 4, applicationName: 'claim-test' });

beforeAll(async () => {
  database = await testPostgres('claim');
  db = open();
  await sql`
    CREATE TABLE jobs (
      id integer PRIMARY KEY, attempts integer NOT NULL DEFAULT 0, lease_until timestamptz, note text NOT NULL DEFAULT 'new'
    )`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  await sql`TRUNCATE jobs`.execute(db);
  await sql`INSERT INTO jobs (id) SELECT * FROM generate_series(1, 100)`.execute(db);
});

const take = (from: Db<unknown>, limit: number, leaseMs = 60_000): Promise<Job[]> =>
  claimDue<Job>(from, {
    table: 'jobs',
    key: 'id',
    due: isFree('lease_until'),
    order: sql`id`,
    limit,
    take: sql`attempts = attempts + 1, lease_until = ${inMs(leaseMs)}`,
  });

describe('a claim', () => {
  it('takes due rows in order, and returns them as they are after the claim', async () => {
    const taken = (await take(db, 2)).sort((a, b) => a.id - b.id);
    expect(taken.map(({ id, attempts, note }) => ({ id, attempts, note }))).toEqual([
      { id: 1, attempts: 1, note: 'new' },
      { id: 2, attempts: 1, note: 'new' },
    ]);
    expect((await take(db, 1)).map(({ id }) => id)).toEqual([3]);
  });

  it('never gives a row to two workers', async () => {
    const seen: number[] = [];
    const others = [open(), open(), open()];
    const workers = [db, ...others].map((mine) =>
      startWorker({
        restMs: 0,
        onError: (error) => {
          throw error;
        },
        turn: async () => {
          const jobs = await take(mine, 3);
          seen.push(...jobs.map(({ id }) => id));
          return jobs.length > 0;
        },
      }),
    );
    await until('every job is taken', () => seen.length >= 100);
    await Promise.all(workers.map((worker) => worker.stop()));
    await Promise.all(others.map((other) => other.destroy()));
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });

  it('skips rows that another transaction is claiming, without waiting', async () => {
    await db.transaction().execute(async (tx) => {
      const mine = await take(tx, 99);
      // On another connection, before the first one commits or rolls back.
      const theirs = await take(db, 99);
      expect(mine).toHaveLength(99);
      expect(theirs.map(({ id }) => id)).toEqual([100]);
    });
  });

  it('expires when its worker is killed during the work', async () => {
    const script = `
      const { createDb } = await import('@karaar/db');
      const { claimDue, inMs } = await import('@karaar/db/claims');
      const { sql } = await import('kysely');
      const db = createDb({ url: process.env.URL, max: 1, applicationName: 'dies' });
      const [job] = await claimDue(db, { table: 'jobs', key: 'id', due: sql\`id = 7\`, order: sql\`id\`, limit: 1,
        take: sql\`attempts = attempts + 1, lease_until = \${inMs(3_600_000)}\` });
      process.stdout.write(String(job.id));
      setInterval(() => undefined, 1_000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      env: { ...process.env, URL: database.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe('7');
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    // While the lease lasts, no worker takes the job.
    expect((await take(db, 100)).map(({ id }) => id)).not.toContain(7);
    // The lease of an hour has expired.
    await sql`UPDATE jobs SET lease_until = lease_until - interval '2 hours' WHERE id = 7`.execute(db);
    expect(await take(db, 100)).toMatchObject([{ id: 7, attempts: 2 }]);
  });

  it('returns a value of the row from before the claim', async () => {
    const [job] = await claimDue<Job & { was: string }>(db, {
      table: 'jobs',
      key: 'id',
      due: sql`note = 'new'`,
      order: sql`id DESC`,
      limit: 1,
      take: sql`note = 'taken'`,
      before: { name: 'was', value: sql`note` },
    });
    expect(job).toMatchObject({ id: 100, note: 'taken', was: 'new' });
    expect(Object.keys(job ?? {})).not.toContain('claimed_key');
  });

  it.each([
    [true, 'off'],
    [false, 'on'],
  ])('that may be lost: %s, waits for the disk at commit: %s', async (mayBeLost, said) => {
    await db.connection().execute(async (one) => {
      await sql`SET synchronous_commit = on`.execute(one);
      const [job] = await claimDue<Job>(one, {
        table: 'jobs',
        key: 'id',
        due: sql`id = 5`,
        order: sql`id`,
        limit: 1,
        take: sql`note = current_setting('synchronous_commit')`,
        mayBeLost,
      });
      const { rows } = await sql<{ on: string }>`SELECT current_setting('synchronous_commit') AS on`.execute(
        one,
      );
      expect({ during: job?.note, after: rows[0]?.on }).toEqual({ during: said, after: 'on' });
    });
  });
});
