import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { createDb, inTransaction, type Db } from '@karaar/db';
import { ensureSpans, idAt, offerUpkeep, spanOf, upkeep } from '@karaar/db/partitions';
import { busTables } from '@karaar/db/shared-tables';
import { busRetentions } from './retention.ts';

const KEYS: Record<string, string> = { outbox: 'id', inbox: 'event_id' };

let database: TestDatabase;
let db: Db<unknown>;
beforeAll(async () => {
  database = await testPostgres('retention');
  db = createDb<unknown>({ url: database.url, max: 4, applicationName: 'retention-test' });
  await offerUpkeep(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const placed = async (table: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ name: string; count: number }>`
    select tableoid::regclass::text as name, count(*)::int as count from ${sql.table(table)} group by 1 order by 1`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

it('drops an old partition as a whole, unless a row of it is still needed', async () => {
  await busTables(db);
  for (const { table } of busRetentions)
    await inTransaction(db, (tx) =>
      ensureSpans(tx, { table, key: KEYS[table] ?? '', months: 1 }, new Date('2026-01-01')),
    );
  const add = (at: string, published: string | null) =>
    sql`
      insert into outbox (id, subject, type, version, aggregate_id, aggregate_version, data, published_at)
      values (${idAt(new Date(at)).replace('-0000-', '-7000-')}, 's', 't', 1, 'a', 1, '{}', ${published}::timestamptz)`.execute(
      db,
    );
  await add('2026-03-05', '2026-03-05');
  await add('2026-04-05', null);
  await add('2026-05-05', new Date().toISOString());
  await add('2025-01-05', '2025-01-05');
  const [outbox, inbox] = busRetentions;
  const { dropped } = await upkeep(db, 'outbox', { retention: outbox });
  expect(dropped).toContain('outbox_2026_03');
  expect(dropped).not.toContain('outbox_2026_04');
  expect(dropped).not.toContain('outbox_2026_05');
  // The oldest row was in the default partition.
  expect(await placed('outbox')).toEqual({ outbox_2026_04: 1, outbox_2026_05: 1 });
  expect(dropped).not.toContain(`outbox_${spanOf(new Date(), 1).name}`);

  await sql`
    insert into inbox (event_id, handler, handled_at) values
      (${idAt(new Date('2026-01-05'))}, 'mine', '2026-01-06'), (${idAt(new Date('2026-02-05'))}, 'mine', now()),
      ('1', 'mine', '2026-01-06'), ('2', 'mine', now())`.execute(db);
  expect((await upkeep(db, 'inbox', { retention: inbox })).dropped).toContain('inbox_2026_01');
  expect(await placed('inbox')).toEqual({ inbox_2026_02: 1, inbox_default: 1 });
});
