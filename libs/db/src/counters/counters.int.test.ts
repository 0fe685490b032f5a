import { testPostgres } from '@karaar/testing/harness';
import fc from 'fast-check';
import { sql } from 'kysely';
import { createDb, inTransaction, type Db } from '../db-kit/index.ts';
import { foldCounters, readCounters } from './index.ts';
import { counterTables } from '../shared-tables/index.ts';

let db: Db<Record<string, never>>;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await testPostgres('counters');
  drop = database.drop;
  db = createDb({ url: database.url, max: 8, applicationName: 'counters-test' });
  await sql`
    CREATE TABLE things (id int PRIMARY KEY, type text NOT NULL, status text NOT NULL, paise bigint NOT NULL,
      note text, created_at timestamptz NOT NULL)`.execute(db);
  // Two rows that existed before the counter.
  await sql`
    INSERT INTO things VALUES (-1, 'a', 'open', 10, NULL, now()), (-2, 'b', 'open', 5, NULL, now() - interval '3 years')`.execute(
    db,
  );
  await counterTables(db, { table: 'things', kind: ['type', 'status'], amount: 'paise' });
});
afterAll(async () => {
  await db.destroy();
  await drop();
});

async function truth(days: number) {
  const { rows: kinds } = await sql`
    SELECT type || ' ' || status AS kind, count(*)::int AS count, sum(paise)::bigint AS amount
    FROM things GROUP BY 1 ORDER BY 1`.execute(db);
  const { rows: byDay } = await sql`
    SELECT to_char(created_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') AS day, type || ' ' || status AS kind,
      count(*)::int AS count, sum(paise)::bigint AS amount
    FROM things
    WHERE (created_at AT TIME ZONE 'Asia/Kolkata')::date > (now() AT TIME ZONE 'Asia/Kolkata')::date - ${days}::int
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db);
  return { kinds, byDay };
}

const id = fc.integer({ min: 1, max: 12 });
const pick = (...values: string[]) => fc.constantFrom(...values);
const act = fc.oneof(
  fc.record({ what: fc.constant('insert' as const), id, type: pick('a', 'b'), status: pick('open', 'done') }),
  fc.record({ what: fc.constant('update' as const), id, status: pick('open', 'done', 'gone') }),
  fc.record({ what: fc.constant('note' as const), id }),
  fc.record({ what: fc.constant('delete' as const), id }),
  fc.record({ what: fc.constant('undone' as const), id }),
  fc.record({ what: fc.constant('fold' as const) }),
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

async function run(one: Act): Promise<void> {
  switch (one.what) {
    case 'insert':
      await sql`
        INSERT INTO things SELECT ${one.id} + n * 100, ${one.type}, ${one.status}, ${one.id}, NULL,
          now() - n * interval '1 day' FROM generate_series(0, 2) AS n ON CONFLICT DO NOTHING`.execute(db);
      return;
    case 'update':
      await sql`UPDATE things SET status = ${one.status}, paise = paise + 1, created_at = created_at - interval '6 hours' WHERE id % 100 = ${one.id}`.execute(
        db,
      );
      return;
    case 'note':
      await sql`UPDATE things SET note = 'seen' WHERE id % 100 = ${one.id}`.execute(db);
      return;
    case 'delete':
      await sql`DELETE FROM things WHERE id % 100 = ${one.id}`.execute(db);
      return;
    case 'undone':
      await inTransaction(db, async (tx) => {
        await sql`DELETE FROM things WHERE id % 100 = ${one.id}`.execute(tx);
        throw new Error('undone');
      }).catch(() => undefined);
      return;
    case 'fold':
      await foldCounters(db, 'things');
  }
}

describe('counters', () => {
  it('equal a count of the rows after concurrent inserts, updates, deletes, rollbacks and folding', async () => {
    expect(await readCounters(db, 'things', 2)).toEqual(await truth(2));
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
        for (let at = 0; at < acts.length; at += 4) await Promise.all(acts.slice(at, at + 4).map(run));
        expect(await readCounters(db, 'things', 2)).toEqual(await truth(2));
      }),
      { numRuns: 40 },
    );
  });

  it('delete folded changes, and store none for updates that change no count', async () => {
    const changes = async () => {
      const { rows } = await sql<{
        n: number;
      }>`SELECT count(*)::int AS n FROM things_counter_changes`.execute(db);
      return rows[0]?.n;
    };
    await Promise.all([foldCounters(db, 'things'), foldCounters(db, 'things')]);
    await foldCounters(db, 'things');
    expect(await changes()).toBe(0);
    await sql`UPDATE things SET note = 'seen', status = status`.execute(db);
    expect(await changes()).toBe(0);
  });
});
