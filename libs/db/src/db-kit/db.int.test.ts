import { setTimeout as sleep } from 'node:timers/promises';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { databaseProxy } from '@karaar/testing/servers/proxy';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import pg from 'pg';
import { isConnectionError } from '@karaar/base/errors';
import { createDb, inTransaction, isUniqueViolation, prepared, type Db } from './index.ts';

let database: TestDatabase;
let db: Db<unknown>;
let killer: pg.Client;
const idleErrors: Error[] = [];

beforeAll(async () => {
  database = await testPostgres('db-kit');
  db = createDb({
    url: database.url,
    max: 3,
    applicationName: 'db-kit-test',
    statementTimeoutMs: 400,
    onIdleError: (error) => idleErrors.push(error),
  });
  killer = new pg.Client({ connectionString: database.url });
  await killer.connect();
});
afterAll(async () => {
  await killer.end();
  await db.destroy();
  await database.drop();
});

const one = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(db)).rows[0];

describe('createDb', () => {
  it('reads bigint as number, numeric as text, date as text and timestamptz as Date', async () => {
    const row = await one(sql`
      select 9007199254740991::bigint as big, 12.50::numeric as price, date '2026-11-20' as day,
        timestamptz '2026-11-20T12:00:00Z' as moment, array[1, null, 2]::bigint[] as many, array[date '2026-11-20'] as days`);
    expect(row).toEqual({
      big: 9_007_199_254_740_991,
      price: '12.50',
      day: '2026-11-20',
      moment: new Date('2026-11-20T12:00:00Z'),
      many: [1, null, 2],
      days: ['2026-11-20'],
    });
  });

  it('rejects a bigint that a number cannot hold exactly, rather than rounding it', async () => {
    await expect(one(sql`select 9007199254740993::bigint as big`)).rejects.toThrow(/beyond 2\^53/);
    await expect(one(sql`select 1 as fine`)).resolves.toEqual({ fine: 1 });
  });

  it('cancels a statement that exceeds its time', async () => {
    await expect(one(sql`select pg_sleep(5)`)).rejects.toThrow(/statement timeout/);
  });

  it('plans a prepared statement once per connection, and any other one every time', async () => {
    await db.connection().execute(async (connection) => {
      for (const n of [1, 2, 3]) {
        const { rows } = await prepared('twice', sql`select ${n}::int * 2 as twice`).execute(connection);
        expect(rows).toEqual([{ twice: n * 2 }]);
        await sql`select ${n}::int * 3 as thrice`.execute(connection);
      }
      const { rows } = await sql<{ name: string; calls: number }>`
        select name, (generic_plans + custom_plans)::int as calls from pg_prepared_statements`.execute(
        connection,
      );
      expect(rows).toEqual([{ name: 'twice', calls: 3 }]);
    });
    expect(() => prepared('twice', sql`select 4 as twice`).execute(db)).toThrow(
      'Two prepared statements have the name twice',
    );
  });

  it('sets the application name of its connections', async () => {
    await expect(one(sql`select current_setting('application_name') as name`)).resolves.toEqual({
      name: 'db-kit-test',
    });
  });

  it('survives when the server ends an idle connection', async () => {
    const victim = createDb<unknown>({
      url: database.url,
      max: 1,
      applicationName: 'victim',
      onIdleError: (error) => idleErrors.push(error),
    });
    await sql`select 1`.execute(victim);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'`.execute(
      db,
    );
    await until('the pool has noticed', () => idleErrors.length > 0);
    await expect(sql`select 1 as back`.execute(victim)).resolves.toMatchObject({ rows: [{ back: 1 }] });
    await victim.destroy();
  });

  it('survives when the server ends a connection inside a transaction, between two queries', async () => {
    const error: unknown = await inTransaction(db, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await killer.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await sleep(200);
      await sql`select 1`.execute(tx);
    }).catch((reason: unknown) => reason);
    expect(isConnectionError(error)).toBe(true);
    await expect(one(sql`select 1 as fine`)).resolves.toEqual({ fine: 1 });
  });

  it.each(['between transactions', 'within a transaction'])(
    'discards a connection that has gone silent %s, and frees its place in the pool',
    async (when) => {
      const proxy = await databaseProxy(database.url);
      const silent = createDb<unknown>({
        url: proxy.url,
        max: 1,
        applicationName: 'silent',
        statementTimeoutMs: 200,
        silentAfterMs: 400,
      });
      const connections = async () =>
        (await killer.query(`select from pg_stat_activity where application_name = 'silent'`)).rows.length;
      try {
        await sql`select 1`.execute(silent);
        const asked =
          when === 'within a transaction'
            ? inTransaction(silent, async (tx) => {
                await sql`select 1`.execute(tx);
                proxy.loseReplies();
                await sql`select 2`.execute(tx);
              })
            : Promise.resolve(proxy.loseReplies()).then(() => sql`select 2`.execute(silent));
        const error: unknown = await asked.catch((reason: unknown) => reason);
        expect(isConnectionError(error)).toBe(true);
        await until('the connection is closed', async () => (await connections()) === 0);
        proxy.reset();
        await expect(sql`select 3 as back`.execute(silent)).resolves.toMatchObject({ rows: [{ back: 3 }] });
      } finally {
        proxy.reset();
        await silent.destroy();
        await proxy.close();
      }
    },
  );

  it('fails with a connection error if no server listens', async () => {
    const lost = createDb<unknown>({ url: 'postgres://a:b@127.0.0.1:1/x', applicationName: 'lost' });
    const error: unknown = await sql`select 1`.execute(lost).catch((reason: unknown) => reason);
    expect(isConnectionError(error)).toBe(true);
    await lost.destroy();
  });

  it('distinguishes a unique violation from other errors, also by constraint', async () => {
    await sql`create table pair (a int constraint pair_a unique, b int constraint pair_b unique)`.execute(db);
    await sql`insert into pair values (1, 1)`.execute(db);
    const error: unknown = await sql`insert into pair values (1, 2)`
      .execute(db)
      .catch((reason: unknown) => reason);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'pair_a')).toBe(true);
    expect(isUniqueViolation(error, 'pair_b')).toBe(false);
    expect(isUniqueViolation(new Error('else'))).toBe(false);
  });
});
