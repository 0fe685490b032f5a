import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { createDb, migrateToLatest, type Db, type Migrations } from './index.ts';

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
    // Slow enough that processes that start together meet in here.
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

  it('lets processes that start together take turns, even with one connection each', async () => {
    const migrations = { '1-a': create('a'), '2-b': create('b') };
    const applied = await Promise.all([1, 1, 1, 1].map((max) => migrateToLatest(connectDb(max), migrations)));
    expect(applied.filter((names) => names.length > 0)).toEqual([['1-a', '2-b']]);
  });

  it('applies nothing when one fails, says why, and can go on after the repair', async () => {
    const db = connectDb();
    const broken: Migrations = {
      '1-a': create('a'),
      '2-b': { up: async (tx) => void (await sql`create table b (id nonsense)`.execute(tx)) },
    };
    await expect(migrateToLatest(db, broken)).rejects.toThrow(/nonsense/);
    expect(await tables(db)).toEqual([]);
    expect(await migrateToLatest(db, { ...broken, '2-b': create('b') })).toEqual(['1-a', '2-b']);
  });

  it('does not wait for ever for a process that hangs in its migration', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = migrateToLatest(connectDb(), { '1-a': { up: () => held } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect(
      migrateToLatest(connectDb(), { '1-a': create('a') }, { lockTimeoutMs: 300 }),
    ).rejects.toThrow(/held the migration lock/);
    release();
    await slow;
  });
});
