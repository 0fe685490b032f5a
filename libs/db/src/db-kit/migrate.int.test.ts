import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { awaitMigrations, createDb, migrateToLatest, type Db, type Migrations } from './index.ts';

let database: TestDatabase;
const open: Db<unknown>[] = [];
const connectDb = (max = 2) => {
  const db = createDb<unknown>({ url: database.url, max, applicationName: 'migrate-test' });
  open.push(db);
  return db;
};

beforeEach(async () => {
  database = await testPostgres('migrate');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.destroy()));
  await database.drop();
});

const create = (table: string): Migrations[string] => ({
  up: async (db) => {
    // Slow enough to overlap in processes that start at the same time.
    await sql`select pg_sleep(0.2)`.execute(db);
    await sql`create table ${sql.table(table)} (id int)`.execute(db);
  },
});
const tables = async (db: Db<unknown>) =>
  (
    await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
      order by 1`.execute(db)
  ).rows.map((row) => row.name);

describe('migrateToLatest', () => {
  it('applies each migration once, in the order of the names', async () => {
    const db = connectDb();
    expect(await migrateToLatest(db, { '2-b': create('b'), '1-a': create('a') })).toEqual(['1-a', '2-b']);
    expect(await migrateToLatest(db, { '2-b': create('b'), '1-a': create('a'), '3-c': create('c') })).toEqual(
      ['3-c'],
    );
    expect(await migrateToLatest(db, { '1-a': create('a'), '2-b': create('b'), '3-c': create('c') })).toEqual(
      [],
    );
    expect(await tables(db)).toEqual(['a', 'b', 'c']);
  });

  it('runs in one process at a time, even with one connection each', async () => {
    const migrations = { '1-a': create('a'), '2-b': create('b') };
    const applied = await Promise.all([1, 1, 1, 1].map((max) => migrateToLatest(connectDb(max), migrations)));
    expect(applied.filter((names) => names.length > 0)).toEqual([['1-a', '2-b']]);
  });

  it('applies nothing of a failing migration, reports the reason, and continues after the repair', async () => {
    const db = connectDb();
    const broken: Migrations = {
      '1-a': create('a'),
      '2-b': {
        up: async (tx) => {
          await sql`create table half (id int)`.execute(tx);
          await sql`create table b (id nonsense)`.execute(tx);
        },
      },
      '3-c': create('c'),
    };
    await expect(migrateToLatest(db, broken)).rejects.toThrow(/nonsense/);
    expect(await tables(db)).toEqual(['a']);
    expect(await migrateToLatest(db, { ...broken, '2-b': create('b') })).toEqual(['2-b', '3-c']);
    expect(await tables(db)).toEqual(['a', 'b', 'c']);
  });

  it('runs a migration without a transaction if configured: an index build that does not block readers and writers', async () => {
    const db = connectDb();
    const migrations: Migrations = {
      '1-a': create('a'),
      '2-index': {
        withoutTransaction: true,
        up: async (own) => void (await sql`create index concurrently a_by_id on a (id)`.execute(own)),
      },
    };
    expect(await migrateToLatest(db, migrations)).toEqual(['1-a', '2-index']);
    expect(await migrateToLatest(db, migrations)).toEqual([]);
  });

  it('times out waiting for a process that hangs in its migration', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const begun = Promise.withResolvers<undefined>();
    const up = () => {
      begun.resolve(undefined);
      return held;
    };
    const slow = migrateToLatest(connectDb(), { '1-a': { up } });
    await begun.promise;
    await expect(
      migrateToLatest(connectDb(), { '1-a': create('a') }, { lockTimeoutMs: 300 }),
    ).rejects.toThrow(/held the migration lock/);
    release();
    await slow;
  });
});

describe('a table in use', () => {
  const alter: Migrations = {
    '1-a': create('a'),
    '2-alter': { up: async (tx) => void (await sql`alter table a add column more int`.execute(tx)) },
  };
  const patience = { timeoutMs: 100, tries: 3, restMs: 200 };
  /** Reads `a` from another connection in a transaction that stays open. @returns a function that ends it */
  const use = async (): Promise<() => Promise<unknown>> => {
    const db = connectDb(1);
    await migrateToLatest(db, { '1-a': create('a') });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const begun = Promise.withResolvers<undefined>();
    const reading = db.transaction().execute(async (tx) => {
      await sql`select from a`.execute(tx);
      begun.resolve(undefined);
      await held;
    });
    await begun.promise;
    return () => {
      release();
      return reading;
    };
  };

  it('is waited for briefly and repeatedly while others continue; then the migration fails with the reason', async () => {
    const end = await use();
    const others = connectDb();
    const warned: object[] = [];
    const logger = { warn: (context: object) => void warned.push(context) };
    const migrated = migrateToLatest(connectDb(), alter, { patience, logger }).then(
      () => 'migrated',
      (error: unknown) => String(error),
    );
    let said = '';
    void migrated.then((text) => (said = text));
    while (said === '') await sql`select from a`.execute(others);
    expect(said).toMatch(
      /^Error: Migration 2-alter needs a table that others use: 3 times it waited 100 ms for it and let the others go on\./,
    );
    expect(warned).toEqual([1, 2].map((attempt) => ({ migration: '2-alter', attempt })));
    await end();
    expect(await migrateToLatest(connectDb(), alter, { patience })).toEqual(['2-alter']);
  });

  it('is migrated as soon as it is free', async () => {
    const end = await use();
    const migrated = migrateToLatest(connectDb(), alter, { patience: { ...patience, tries: 1_000 } });
    await until('it waits', async () => {
      const { rows } = await sql<{ waits: boolean }>`
        select exists (select from pg_locks where not granted and relation = 'a'::regclass) as waits`.execute(
        connectDb(),
      );
      return rows[0]?.waits === true;
    });
    await end();
    expect(await migrated).toEqual(['2-alter']);
  });
});

describe('a release older than the database', () => {
  const now = { '1-a': create('a'), '2-b': create('b') };
  const later = { ...now, '3-c': create('c') };

  it('migrates nothing, reverts nothing and starts', async () => {
    const db = connectDb();
    await migrateToLatest(db, later);
    await sql`create or replace function drop_partition(part text) returns void language sql as 'select'`.execute(
      db,
    );
    const warned: object[] = [];
    const logger = { warn: (context: object) => void warned.push(context) };
    expect(await migrateToLatest(db, now, { logger })).toEqual([]);
    expect(warned).toEqual([{ later: ['3-c'] }]);
    await awaitMigrations(db, now, { timeoutMs: 0 });
    expect(await tables(db)).toEqual(['a', 'b', 'c']);
    const { rows } =
      await sql`select from pg_proc where proname = 'drop_partition' and prosrc = 'select'`.execute(db);
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['a name in the middle that it does not know', { '1-a': create('a'), '3-c': create('c') }, '2-b'],
    ['names of which some are missing', { '1-a': create('a'), '2-other': create('o') }, '2-other'],
  ])('rejects a database with %s', async (_what, known: Migrations, named) => {
    const db = connectDb();
    await migrateToLatest(db, named === '2-b' ? later : now);
    const refusal = new RegExp(`The database is of another line of releases: .*${named}`);
    await expect(migrateToLatest(db, known)).rejects.toThrow(refusal);
    await expect(awaitMigrations(db, known, { timeoutMs: 0 })).rejects.toThrow(refusal);
    expect(await tables(db)).not.toContain('d');
  });

  it('explains how to continue with a development database that is older than the first migration', async () => {
    const db = connectDb();
    await migrateToLatest(db, { '20261121T0000Z-init': create('a') });
    const known = { '20261127T2000Z-init-wallet': create('d') };
    const advice = /made by a development state from before the first release\. Remove its data/;
    await expect(migrateToLatest(db, known)).rejects.toThrow(advice);
    await expect(awaitMigrations(db, known, { timeoutMs: 0 })).rejects.toThrow(advice);
    expect(await tables(db)).toEqual(['a']);
  });

  it.each([
    ['wallet', 'payments'],
    ['payments', 'wallet'],
  ])(
    'changes no grants in the database of %s when the address of %s points to it by mistake',
    async (owner, other) => {
      const db = connectDb();
      const init = (service: string) => ({ [`20261127T2000Z-init-${service}`]: create(service) });
      await migrateToLatest(db, init(owner));
      const refusal = `it has 20261127T2000Z-init-${owner}, which this release does not know`;
      await expect(migrateToLatest(db, init(other), { appendOnlyTables: {} })).rejects.toThrow(refusal);
      expect(await tables(db)).toEqual([owner]);
    },
  );

  it('starts as the service’s own role, and grants that role nothing on unknown tables', async () => {
    const owner = connectDb();
    const kept = { a: {} };
    await migrateToLatest(owner, later, { appendOnlyTables: { ...kept, c: {} } });
    await migrateToLatest(owner, now, { appendOnlyTables: kept });
    const service = createDb<unknown>({ url: database.runtimeUrl, max: 1, applicationName: 'migrate-test' });
    open.push(service);
    await awaitMigrations(service, now, { timeoutMs: 0 });
    await expect(sql`delete from c`.execute(service)).rejects.toThrow(/permission denied/);
  });

  it('starts while the migrations of the later release have failed', async () => {
    const owner = connectDb();
    await migrateToLatest(owner, now, { appendOnlyTables: {} });
    const failing = { ...later, '4-d': { up: () => Promise.reject(new Error('no')) } };
    await expect(migrateToLatest(owner, failing, { appendOnlyTables: {} })).rejects.toThrow('no');
    const service = createDb<unknown>({ url: database.runtimeUrl, max: 1, applicationName: 'migrate-test' });
    open.push(service);
    await awaitMigrations(service, now, { timeoutMs: 0 });
    await expect(awaitMigrations(service, failing, { timeoutMs: 0 })).rejects.toThrow(
      'Migrations are missing: 4-d',
    );
  });
});
