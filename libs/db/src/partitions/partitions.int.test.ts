import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { createDb, inTransaction, type Db } from '../db-kit/index.ts';
import { registry } from '@karaar/observability/telemetry';
import { monthAfter } from './bounds.ts';
import { partitionsOf } from './catalog.ts';
import {
  addPartitions,
  ensureSpans,
  idAt,
  keepPartitions,
  offerUpkeep,
  partitionStates,
  spanOf,
  upkeep,
} from './index.ts';

let database: TestDatabase;
let db: Db<unknown>;
beforeEach(async () => {
  database = await testPostgres('partitions');
  db = createDb<unknown>({ url: database.url, max: 4, applicationName: 'partitions-test' });
  await offerUpkeep(db);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const LINES = { table: 'lines', key: 'id', months: 1 } as const;

/** A table like ledger lines: numbered, with references, append-only, and balanced by a deferred check. */
async function lines(): Promise<void> {
  await sql`
    create table owners (id int primary key);
    insert into owners values (1);
    create table lines (
      id uuid not null, owner int not null references owners, no bigserial not null, amount int not null check (amount > 0),
      primary key (id, owner)
    ) partition by range (id);
    create index lines_by_owner on lines (owner, id);
    create unique index lines_by_no on lines (no, id);
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'never changed'; end $$;
    create trigger append_only before update or delete or truncate on lines for each statement execute function refuse();
    create function below() returns trigger language plpgsql as $$
      begin if new.amount > 1000 then raise exception 'too much'; end if; return null; end $$;
    create constraint trigger not_too_much after insert on lines deferrable initially deferred
      for each row execute function below()`.execute(db);
}

const add = (months: number, amount = 1) =>
  sql`insert into lines (id, owner, amount) values (uuidv7(make_interval(months => ${months}::int)), 1, ${amount})`.execute(
    db,
  );

const placed = async (table = 'lines'): Promise<Record<string, number>> => {
  const { rows } = await sql<{ name: string; count: number }>`
    select tableoid::regclass::text as name, count(*)::int as count from ${sql.table(table)} group by 1 order by 1`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

const month = (plus: number): string => spanOf(monthAfter(new Date(), plus), 1).name;

describe('a partitioned table', () => {
  it('has partitions for months ahead, and stores every row in the partition of its id', async () => {
    await lines();
    await inTransaction(db, (tx) => addPartitions(tx, LINES));
    for (const months of [0, 0, 1, 3]) await add(months);
    expect(await placed()).toEqual({
      [`lines_${month(0)}`]: 2,
      [`lines_${month(1)}`]: 1,
      [`lines_${month(3)}`]: 1,
    });
    expect((await partitionsOf(db, 'lines')).length).toBe(4);
  });

  it('enforces triggers and constraints in every partition, through the table and directly', async () => {
    await lines();
    await inTransaction(db, (tx) => addPartitions(tx, LINES));
    for (const months of [-1, 1]) await add(months);
    for (const table of ['lines', 'lines_default', `lines_${month(1)}`])
      for (const change of [
        sql`update ${sql.table(table)} set amount = 2`,
        sql`delete from ${sql.table(table)}`,
        sql`truncate ${sql.table(table)}`,
      ])
        await expect(change.execute(db)).rejects.toThrow('never changed');
    for (const months of [-1, 1, 40]) await expect(add(months, 2_000)).rejects.toThrow('too much');
    await expect(
      sql`insert into lines (id, owner, amount) values (uuidv7(), 7, 1)`.execute(db),
    ).rejects.toThrow('foreign key');
    await expect(add(1, 0)).rejects.toThrow('check constraint');
  });

  it('reads one partition for an id or a time span, and all partitions otherwise', async () => {
    await lines();
    await inTransaction(db, async (tx) => {
      await addPartitions(tx, LINES);
      await ensureSpans(tx, LINES, new Date('2025-01-01'));
    });
    const scanned = async (where: ReturnType<typeof sql>): Promise<number> => {
      const { rows } = await sql<Record<string, string>>`explain select * from lines where ${where}`.execute(
        db,
      );
      return rows.filter((row) => /(Seq|Heap) Scan on|Scan using/.test(Object.values(row)[0] ?? '')).length;
    };
    expect(await scanned(sql`id = ${idAt(new Date('2025-06-05'))}`)).toBe(1);
    expect(
      await scanned(sql`id >= ${idAt(new Date('2025-06-01'))} and id < ${idAt(new Date('2025-07-20'))}`),
    ).toBe(2);
    expect(await scanned(sql`owner = 1`)).toBeGreaterThan(20);
  });
});

describe('upkeep', () => {
  it('does not count ids without a time as misplaced', async () => {
    await lines();
    await inTransaction(db, (tx) => addPartitions(tx, LINES));
    await sql`insert into lines (id, owner, amount) values ('e0000000-0000-4000-8000-000000000000', 1, 5)`.execute(
      db,
    );
    expect(await placed()).toEqual({ lines_default: 1 });
    expect(await partitionStates(db)).toMatchObject([{ misplaced: 0 }]);
  });

  it('moves rows from the default partition once theirs exists, even if triggers forbid changes', async () => {
    await lines();
    await inTransaction(db, (tx) => addPartitions(tx, LINES));
    await sql`drop table ${sql.table(`lines_${month(0)}`)}, ${sql.table(`lines_${month(2)}`)}`.execute(db);
    for (const months of [0, 0, 1]) await add(months);
    expect(await partitionStates(db)).toMatchObject([{ monthsAhead: 0, misplaced: 2 }]);
    expect(await upkeep(db, 'lines')).toEqual({
      made: [`lines_${month(0)}`, `lines_${month(2)}`],
      dropped: [],
    });
    expect(await placed()).toEqual({ [`lines_${month(0)}`]: 2, [`lines_${month(1)}`]: 1 });
    const [state] = await partitionStates(db);
    expect(state).toMatchObject({ misplaced: 0 });
    expect(state?.monthsAhead).toBeGreaterThan(2.9);
    await expect(sql`delete from ${sql.table(`lines_${month(0)}`)}`.execute(db)).rejects.toThrow(
      'never changed',
    );
    expect(await upkeep(db, 'lines')).toEqual({ made: [], dropped: [] });
  });

  it('runs in one process at a time, times out early on a lock, and reports the state of the tables', async () => {
    await lines();
    await inTransaction(db, (tx) => addPartitions(tx, LINES));
    await sql`drop table ${sql.table(`lines_${month(1)}`)}`.execute(db);
    const warnings: unknown[] = [];
    const logger = { info: () => undefined, warn: (context: object) => void warnings.push(context) };
    const ahead = async () =>
      Number(/^partition_months_ahead\{.*\} (\S+)$/m.exec(await registry.metrics())?.[1]);
    // Another connection reads in a long transaction, so that upkeep cannot get its lock.
    const reader = await db.startTransaction().execute();
    await sql`lock table lines in access share mode`.execute(reader);
    await sql`lock table lines_default in access share mode`.execute(reader);
    const workers = [1, 2].map(() =>
      keepPartitions(db, { logger, retentions: [], everyMs: 50, lockTimeoutMs: 200 }),
    );
    try {
      await until('the lock was not waited for', async () => warnings.length > 0);
      // A month has 28 to 31 days, of which some have passed.
      expect(await ahead()).toBeLessThan(1.1);
      await reader.rollback().execute();
      await until('it is made after all', async () => (await partitionsOf(db, 'lines')).length === 4);
      expect(await ahead()).toBeGreaterThan(2.9);
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });
});
