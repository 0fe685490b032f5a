import { testPostgres } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { databaseProxy } from '@karaar/testing/servers/proxy';
import pg from 'pg';
import { cut, type CutKind } from './cutter.ts';

let database: Awaited<ReturnType<typeof testPostgres>>;
let proxy: Awaited<ReturnType<typeof databaseProxy>>;
let direct: pg.Client;

const connect = async (connectionString: string, how: pg.ClientConfig = {}): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString, ...how });
  client.on('error', () => undefined); // its queries reject as well
  await client.connect();
  return client;
};
const kept = async () =>
  (await direct.query<{ n: number }>('SELECT n FROM t ORDER BY n')).rows.map(({ n }) => n);
/** Cuts a connection during these queries. @returns whether all were answered */
const answered = async (kind: CutKind, ...queries: string[]): Promise<boolean> => {
  const client = await connect(proxy.url);
  await client.query('SELECT 1');
  const happened = cut(proxy, kind, 1_000);
  const all = (async () => {
    for (const query of queries) await client.query(query);
    return true;
  })().catch(() => false);
  expect(await happened).toBe(true);
  return all;
};

beforeAll(async () => {
  database = await testPostgres('cut-proxy');
  proxy = await databaseProxy(database.url);
  direct = await connect(database.url);
  await direct.query('CREATE TABLE t (n int)');
}, 120_000);
afterAll(async () => {
  await proxy.close();
  await direct.end();
  await database.drop();
});
beforeEach(() => direct.query('TRUNCATE t'));

it('forwards everything without a cut', async () => {
  const client = await connect(proxy.url);
  await client.query('INSERT INTO t SELECT generate_series(1, 3)');
  const { rows } = await client.query<{ size: number }>(
    `SELECT length(repeat('x', 3000000)) AS size, repeat('x', 3000000)`,
  );
  expect([await kept(), rows[0]?.size]).toEqual([[1, 2, 3], 3_000_000]);
  await client.end();
});

it('loses the answer to a COMMIT that has taken effect', async () => {
  expect(await answered('commit', 'begin', 'INSERT INTO t VALUES (1)', 'commit')).toBe(false);
  expect(await kept()).toEqual([1]);
});

it('waits for a COMMIT, and ignores a statement that contains the word', async () => {
  const client = await connect(proxy.url);
  const happened = cut(proxy, 'commit', 600);
  await client.query(`SELECT 'commit'`);
  expect(await happened).toBe(false);
  expect((await client.query('SELECT 1')).rowCount).toBe(1);
  await client.end();
});

it('loses the answer to a COMMIT of the extended protocol', async () => {
  const client = await connect(proxy.url);
  const happened = cut(proxy, 'commit', 5_000);
  await client.query('begin');
  await client.query('INSERT INTO t VALUES (2)');
  const committed = client.query({ name: 'end', text: 'commit', values: [] }).then(
    () => true,
    () => false,
  );
  expect([await happened, await committed, await kept()]).toEqual([true, false, [2]]);
});

it('loses the answer to a single statement that has taken effect', async () => {
  expect(await answered('answer', 'INSERT INTO t VALUES (3)')).toBe(false);
  expect(await kept()).toEqual([3]);
});

it('silences a connection until the client gives up, and the server learns of it later', async () => {
  const client = await connect(proxy.url, { query_timeout: 1_000 });
  await client.query('BEGIN');
  await client.query('INSERT INTO t VALUES (4)');
  const happened = cut(proxy, 'silence', 1_000);
  const asked = client.query('COMMIT').catch((error: unknown) => String(error));
  expect(await happened).toBe(true);
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

it('cuts in the middle of a request or an answer', async () => {
  const long = 'x'.repeat(3_000);
  for (let times = 0; times < 6; times += 1)
    expect(await answered('bytes', `SELECT '${long}' AS long`)).toBe(false);
});
