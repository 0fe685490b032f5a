import { createDb, type Db } from '../db-kit/index.ts';
import { testPostgres } from '@karaar/testing/harness';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  all,
  cut,
  eachRow,
  inDays,
  keyset,
  likePart,
  occursIn,
  pageRows,
  type KeysetSort,
  type Placed,
} from './index.ts';

const SORTS = {
  newest: { column: 'at', cast: 'timestamptz', direction: 'desc' },
  oldest: { column: 'at', cast: 'timestamptz', direction: 'asc' },
  name: { column: 'name', cast: 'text', direction: 'asc' },
  amount: { column: 'amount', cast: 'bigint', direction: 'desc' },
} as const satisfies Record<string, KeysetSort>;
type Sort = keyof typeof SORTS;

let db: Db<Record<string, never>>;
let drop: () => Promise<void>;

async function page(sort: Sort, cursor: string | undefined, limit: number) {
  const { key, orderBy, after } = keyset(SORTS, sort, cursor);
  const { rows } = await sql<Placed>`
    SELECT id, ${key} AS page_key FROM things WHERE ${all([after])} ORDER BY ${orderBy} LIMIT ${limit + 1}`.execute(
    db,
  );
  return cut(rows, limit, sort);
}

beforeAll(async () => {
  const database = await testPostgres('keyset');
  drop = database.drop;
  db = createDb({ url: database.url, max: 2, applicationName: 'keyset-test' });
  await sql`CREATE TABLE things (id uuid PRIMARY KEY, at timestamptz NOT NULL, name text NOT NULL, amount bigint NOT NULL)`.execute(
    db,
  );
  // Many rows share a time, a name or an amount, and times differ by microseconds.
  await sql`
    INSERT INTO things SELECT gen_random_uuid(), timestamptz '2026-11-20T18:29:59.999990Z' + (n % 20) * interval '1 microsecond',
      (ARRAY['अनु', 'Zoë', 'a%b', 'a_b', ''])[1 + n % 5], (n % 3) * 100
    FROM generate_series(1, 60) AS n`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await drop();
});

describe('keyset pages', () => {
  it('show every row once, in order, whatever the sort and the page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Sort>('newest', 'oldest', 'name', 'amount'),
        fc.integer({ min: 1, max: 61 }),
        async (sort, limit) => {
          const seen: string[] = [];
          for await (const row of eachRow((cursor) => page(sort, cursor, limit))) seen.push(row.id);
          const { orderBy } = keyset(SORTS, sort, undefined);
          const { rows } = await sql<{ id: string }>`SELECT id FROM things ORDER BY ${orderBy}`.execute(db);
          expect(seen).toEqual(rows.map(({ id }) => id));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('reject a cursor of another sort, a broken one and one with SQL in it', async () => {
    const { nextCursor } = await page('newest', undefined, 5);
    const evil = Buffer.from(JSON.stringify(['newest', "x'; DROP TABLE things", '1'])).toString('base64url');
    for (const cursor of [nextCursor ?? '', 'x', evil, Buffer.from('[]').toString('base64url')])
      await expect(page('oldest', cursor, 5)).rejects.toMatchObject({ status: 400, code: 'bad_cursor' });
    await expect(page('newest', evil, 5)).rejects.toMatchObject({ code: 'bad_cursor' });
    for (const time of [
      '2026-02-30 00:00:00+00',
      '2026-13-01 00:00:00+00',
      '2026-01-01 25:00:00+00',
      '2026-01-01 00:61:00+00',
      '2026-01-01 00:00:00+99',
      '2026-01-01 00:00:00+05:99',
      '0000-01-01 00:00:00+00',
    ]) {
      const never = ['newest', time, '0199aaaa-0000-7000-8000-000000000000'];
      const cursor = Buffer.from(JSON.stringify(never)).toString('base64url');
      await expect(page('newest', cursor, 5)).rejects.toMatchObject({ status: 400, code: 'bad_cursor' });
    }
  });
});

it('filter by days of India’s calendar, both ends included', async () => {
  const count = async (range: { from?: string; to?: string }) => {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM things WHERE ${all(inDays('at', range))}`.execute(db);
    return rows[0]?.n;
  };
  // Half of them are before midnight in India (18:30 UTC), half after.
  expect(await count({ to: '2026-11-20' })).toBe(30);
  expect(await count({ from: '2026-11-21' })).toBe(30);
  expect(await count({ from: '2026-11-20', to: '2026-11-21' })).toBe(60);
  expect(await count({ from: '', to: '' })).toBe(60);
  expect(() => inDays('at', { from: '2026-02-30' })).toThrow(
    expect.objectContaining({ status: 422 }) as Error,
  );
});

it('search for wildcard characters literally', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT name FROM things WHERE name LIKE ${likePart('a_')}`.execute(db);
  expect(rows).toEqual([{ name: 'a_b' }]);
});

describe('a searched text', () => {
  const SORT = { name: { column: 'name', cast: 'text', direction: 'asc' } } as const;
  beforeAll(async () => {
    await sql`CREATE TABLE papers (id uuid PRIMARY KEY, name text NOT NULL)`.execute(db);
    // The rare rows are behind more rows than the scan reads.
    await sql`
      INSERT INTO papers SELECT gen_random_uuid(), CASE WHEN n % 2000 = 0 THEN 'zoo ' || n ELSE 'lease of plot ' || n END
      FROM generate_series(1, 10000) AS n`.execute(db);
  });
  const names = async (text: string, cursor?: string, begins?: string) => {
    const by = keyset(SORT, 'name', cursor);
    const rows = await pageRows(
      { list: sql`papers`, conditions: [], text: occursIn([sql`name`], text), begins, keyset: by, limit: 4 },
      async (page) => {
        const answer = await sql<Placed & { name: string }>`
          SELECT *, ${by.key} AS page_key FROM (${page}) AS page ORDER BY ${by.orderBy}`.execute(db);
        return answer.rows;
      },
    );
    const { items, nextCursor } = cut(rows, 3, 'name');
    return { names: items.map(({ name }) => name), nextCursor };
  };

  it('is found near and far, in order, page after page', async () => {
    const first = await names('ZOO');
    expect(first.names).toEqual(['zoo 10000', 'zoo 2000', 'zoo 4000']);
    expect((await names('zoo', first.nextCursor ?? '')).names).toEqual(['zoo 6000', 'zoo 8000']);
    expect((await names('plot 1')).names).toEqual([
      'lease of plot 1',
      'lease of plot 10',
      'lease of plot 100',
    ]);
    expect((await names('nowhere')).names).toEqual([]);
  });

  it('puts names that begin with it first, in name order, across pages', async () => {
    await sql`INSERT INTO papers VALUES (gen_random_uuid(), 'a gift to the zoo'), (gen_random_uuid(), 'zoo')`.execute(
      db,
    );
    const first = await names('zoo', undefined, 'Zoo');
    expect(first.names).toEqual(['zoo', 'zoo 10000', 'zoo 2000']);
    const second = await names('zoo', first.nextCursor ?? '', 'Zoo');
    expect(second.names).toEqual(['zoo 4000', 'zoo 6000', 'zoo 8000']);
    expect((await names('zoo', second.nextCursor ?? '', 'Zoo')).names).toEqual(['a gift to the zoo']);
    expect((await names('plot 9999', undefined, 'plot 9999')).names).toEqual(['lease of plot 9999']);
  });

  it('of one or two letters matches the beginning of a word, and is not a pattern', async () => {
    expect((await names('zo')).names).toHaveLength(3);
    expect((await names('pl')).names).toHaveLength(3);
    for (const inside of ['oo', 'ot', '%o', '_l']) expect((await names(inside)).names).toEqual([]);
  });
});
