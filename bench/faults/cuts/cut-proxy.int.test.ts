/** The proxy in front of a real PostgreSQL: each kind of cut happens where and when the test asks for it. */
import { testPostgres } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import pg from 'pg';
import { startCutProxy, type CutKind, type CutProxy } from './cut-proxy.ts';

let database: Awaited<ReturnType<typeof testPostgres>>;
let proxy: CutProxy;
let direct: pg.Client;
const broken: string[] = [];

const connect = async (throughProxy: boolean, how: pg.ClientConfig = {}): Promise<pg.Client> => {
  const url = new URL(database.url);
  if (throughProxy) [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
  const client = new pg.Client({ connectionString: url.toString(), ...how });
  client.on('error', (error) => broken.push(error.message));
  await client.connect();
  return client;
};
const kept = async () =>
  (await direct.query<{ n: number }>('SELECT n FROM t ORDER BY n')).rows.map(({ n }) => n);
/** Whether a query has an answer, when one of this kind is to be cut. */
const answered = async (kind: CutKind, ...queries: string[]): Promise<boolean> => {
  const client = await connect(true);
  await client.query('SELECT 1');
  const cut = proxy.cut(kind, 1_000);
  const all = (async () => {
    for (const query of queries) await client.query(query);
    return true;
  })().catch(() => false);
  expect(await cut).toBe(true);
  return all;
};

beforeAll(async () => {
  database = await testPostgres('cut-proxy');
  proxy = await startCutProxy(Number(new URL(database.url).port), 'postgres');
  direct = await connect(false);
  await direct.query('CREATE TABLE t (n int)');
}, 120_000);
afterAll(async () => {
  await proxy.close();
  await direct.end();
  await database.drop();
});
beforeEach(() => direct.query('TRUNCATE t'));

it('passes everything on when nothing is to be cut', async () => {
  const client = await connect(true);
  await client.query('INSERT INTO t SELECT generate_series(1, 3)');
  const { rows } = await client.query<{ size: number }>(
    `SELECT length(repeat('x', 3000000)) AS size, repeat('x', 3000000)`,
  );
  expect([await kept(), rows[0]?.size]).toEqual([[1, 2, 3], 3_000_000]);
  await client.end();
});

it('keeps the answer to a COMMIT that has happened', async () => {
  expect(await answered('commit', 'BEGIN', 'INSERT INTO t VALUES (1)', 'COMMIT')).toBe(false);
  expect(await kept()).toEqual([1]);
});

it('waits for a COMMIT that keeps something: not a failed transaction, nor a statement that speaks of it', async () => {
  const client = await connect(true);
  const cut = proxy.cut('commit', 600);
  await client.query('BEGIN');
  await client.query('SELECT nothing FROM nowhere').catch(() => undefined);
  expect((await client.query('COMMIT')).command).toBe('ROLLBACK');
  await client.query(`SELECT 'commit'`);
  expect(await cut).toBe(false);
  expect((await client.query('SELECT 1')).rowCount).toBe(1);
  await client.end();
});

it('sees a COMMIT of the extended protocol', async () => {
  const client = await connect(true);
  const cut = proxy.cut('commit', 5_000);
  await client.query('BEGIN');
  await client.query('INSERT INTO t VALUES (2)');
  const committed = client.query({ name: 'end', text: 'COMMIT', values: [] }).then(
    () => true,
    () => false,
  );
  expect([await cut, await committed, await kept()]).toEqual([true, false, [2]]);
});

it('keeps the answer of a single statement, which the server has done', async () => {
  expect(await answered('answer', 'INSERT INTO t VALUES (3)')).toBe(false);
  expect(await kept()).toEqual([3]);
});

it('falls silent for good: the client has to give up, and the server learns of that later', async () => {
  const client = await connect(true, { query_timeout: 1_000 });
  await client.query('BEGIN');
  await client.query('INSERT INTO t VALUES (4)');
  const cut = proxy.cut('silence', 1_000);
  const asked = client.query('COMMIT').catch((error: unknown) => String(error));
  expect(await cut).toBe(true);
  expect(await asked).toContain('Query read timeout');
  const open = async () =>
    (
      await direct.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
      )
    ).rowCount;
  expect([proxy.silent(), await open()]).toEqual([1, 1]);
  void client.end().catch(() => undefined);
  await until('the client has given up', () => proxy.silent() === 0);
  await until('the server has learned of it', async () => (await open()) === 0);
  expect(await kept()).toEqual([]);
});

it('cuts in the middle of what is said or answered', async () => {
  const long = 'x'.repeat(3_000);
  for (let times = 0; times < 6; times += 1)
    expect(await answered('bytes', `SELECT '${long}' AS long`)).toBe(false);
});
