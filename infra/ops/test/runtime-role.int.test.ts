/**
 * The rights of each service's own role match the triggers that refuse changes. A new append-only table is
 * declared in `services/<service>/src/db/append-only-tables.ts`.
 */
import { createDb, migrateToLatest, type Db } from '@karaar/db';
import { upkeep } from '@karaar/db/partitions';
import { asRole, testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { tables } from '../src/databases.ts';

type Rule = { name: string; update: string[]; delete: boolean; grows: boolean };

/** Returns the tables whose triggers refuse changes, with the columns that they allow. */
async function guarded(db: Db<unknown>): Promise<Rule[]> {
  const { rows } = await sql<Rule>`
    select c.relname as name,
      not bool_or(t.tgtype::int & 8 > 0) as delete,
      bool_or(t.tgfoid::regproc::text = 'only_grow') as grows,
      array(
        select attname::text from pg_attribute a
        where attrelid = c.oid and attnum > 0 and not attisdropped and not exists (
          select from pg_trigger u where u.tgrelid = c.oid and not u.tgisinternal and u.tgqual is null
            and u.tgtype::int & 18 = 18 and (u.tgattr::text = '' or attnum = any (u.tgattr)))
        order by 1) as update
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgtype::int & 2 = 2 and t.tgtype::int & 24 > 0 and t.tgqual is null
      and c.relnamespace = 'public'::regnamespace and not c.relispartition
    group by c.oid, c.relname order by 1`.execute(db);
  return rows;
}

const open: Db<unknown>[] = [];
let database: TestDatabase;
const connect = (url: string): Db<unknown> => {
  const db = createDb<unknown>({ url, max: 1, applicationName: 'runtime-role-test' });
  open.push(db);
  return db;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.destroy()));
  await database.drop();
});
const codeOf = async (db: Db<unknown>, statement: string): Promise<string | undefined> =>
  sql
    .raw(statement)
    .execute(db)
    .then(
      () => undefined,
      (error: unknown) => (error as { code: string }).code,
    );

describe.each(Object.entries(tables))('%s', (service, { migrations, appendOnlyTables }) => {
  beforeEach(async () => {
    database = await testPostgres(`runtime-${service}`);
  });

  it('declares its append-only tables with the columns that their triggers allow', async () => {
    const owner = connect(database.url);
    await migrateToLatest(owner, migrations, { appendOnlyTables });
    const seen = (await guarded(owner)).map(({ name, update, delete: may, grows }) => [
      name,
      { update: grows ? ['hashes'] : update, delete: may },
    ]);
    const declared = Object.entries(appendOnlyTables).map(([name, { update = [], delete: may = false }]) => [
      name,
      { update: [...update].sort(), delete: may },
    ]);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(seen));
  });

  it('has a role that keeps these rights after repeated migrations, and can make partitions', async () => {
    const owner = connect(database.url);
    for (let n = 0; n < 2; n += 1) await migrateToLatest(owner, migrations, { appendOnlyTables });
    const own = connect(database.runtimeUrl);
    for (const table of Object.keys(appendOnlyTables)) {
      expect(await codeOf(own, `truncate ${table}`)).toBe('42501');
      expect(
        await codeOf(own, `update ${table} set ${(await firstColumn(own, table)) ?? ''} = default`),
      ).toBe('42501');
      if (!appendOnlyTables[table]?.delete) expect(await codeOf(own, `delete from ${table}`)).toBe('42501');
    }
    expect(await codeOf(own, 'update partitioned_tables set months = 2')).toBe('42501');
    expect(await codeOf(own, 'create table mine (id int)')).toBe('42501');
    expect(await codeOf(own, 'alter table outbox disable trigger all')).toBe('42501');
    expect(await codeOf(own, 'delete from inbox')).toBeUndefined();

    const { rows } = await sql<{ table: string; part: string }>`
      select name as "table", max(c.relname) as part from partitioned_tables
      join pg_inherits on inhparent = name::regclass
      join pg_class c on c.oid = inhrelid where c.relname ~ '_\\d{4}_\\d{2}$' group by name order by 1`.execute(
      owner,
    );
    for (const { table, part } of rows) {
      await asRole(database.url, `drop table ${part}`);
      expect((await upkeep(own, table)).made).toEqual([part]);
      const dropped = await codeOf(own, `select drop_partition('${part}')`);
      expect([table, dropped]).toEqual([table, table in appendOnlyTables ? '42501' : undefined]);
    }
    expect(await codeOf(own, `select drop_partition('outbox')`)).toBe('42501');
    expect(await codeOf(own, `select make_partition('dead_letter', 'dead_letter_x', 'a', 'b')`)).toBe(
      '42501',
    );
  });
});

async function firstColumn(db: Db<unknown>, table: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum = 1`.execute(db);
  return rows[0]?.name;
}

it('serves a database that a single role made and owned', async () => {
  database = await testPostgres('before-roles');
  const { migrations, appendOnlyTables } = tables.wallet;
  const owner = connect(database.url);
  // An older installation, where one role made all tables.
  await migrateToLatest(owner, migrations);
  await sql`insert into accounts (id, kind, balance_paise) values (uuidv7(), 'user', 700)`.execute(owner);
  const own = connect(database.runtimeUrl);
  expect(await codeOf(own, 'select from accounts')).toBe('42501');
  await migrateToLatest(owner, migrations, { appendOnlyTables });
  const { rows } = await sql`select balance_paise from accounts where kind = 'user'`.execute(own);
  expect(rows).toEqual([{ balance_paise: 700 }]);
});
