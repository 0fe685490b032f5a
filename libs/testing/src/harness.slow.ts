import { once } from 'node:events';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import pg from 'pg';
import { sharedTestBacking } from './test-backing/test-backing.ts';
import { testNats, testPostgres, testRedis } from './harness.ts';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('testPostgres', () => {
  it('gives isolated databases on PostgreSQL 18', async () => {
    const [one, two] = await Promise.all([testPostgres('Harness one'), testPostgres('Harness two')]);
    await query(one.url, 'create table seen (id int)');
    expect(await query(two.url, "select to_regclass('seen') as there")).toEqual([{ there: null }]);
    expect(
      await query(two.url, "select current_setting('server_version_num')::int / 10000 as major"),
    ).toEqual([{ major: 18 }]);
    await Promise.all([one.drop(), two.drop()]);
    await expect(query(one.url, 'select 1')).rejects.toThrow();
  });

  it('drops a database once the sessions of a closing pool have ended', async () => {
    const database = await testPostgres('closing');
    const pool = new pg.Pool({ connectionString: database.url });
    const ended = Promise.all([pool.query('select pg_sleep(0.5)'), pool.query('select 1')]);
    await once(pool, 'release');
    await Promise.all([pool.end(), database.drop()]);
    await ended;
    await expect(query(database.url, 'select 1')).rejects.toThrow();
  });

  it('refuses to drop a database that still has a connection', async () => {
    const database = await testPostgres('busy');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await expect(database.drop()).rejects.toThrow('is being accessed by other users');
    await client.end();
    await database.drop();
  });
});

describe('testNats', () => {
  it('gives a separate account with JetStream and without streams', async () => {
    const url = new URL(await testNats());
    const mine = await connect({ servers: url.host, user: url.username, pass: url.password });
    const { username, password, host } = new URL(await sharedTestBacking().then(({ natsUrl }) => natsUrl));
    const main = await connect({ servers: host, user: username, pass: password });
    let heard = 0;
    main.subscribe('harness.>', { callback: () => void (heard += 1) });
    await main.flush();
    mine.publish('harness.ping');
    await mine.flush();
    await main.flush();
    expect(heard).toBe(0);
    const names = await mine.request('$JS.API.STREAM.NAMES', '{}');
    expect(names.json()).toMatchObject({ total: 0 });
    await Promise.all([mine.close(), main.close()]);
  });

  it('returns the same account, emptied, on a second call', async () => {
    const url = new URL(await testNats());
    const connection = await connect({ servers: url.host, user: url.username, pass: url.password });
    await connection.request(
      '$JS.API.STREAM.CREATE.LEFT',
      JSON.stringify({ name: 'LEFT', subjects: ['left'] }),
    );
    expect(await testNats()).toBe(url.toString());
    const names = await connection.request('$JS.API.STREAM.NAMES', '{}');
    expect(names.json()).toMatchObject({ total: 0 });
    await connection.close();
  });
});

describe('testRedis', () => {
  it('gives a separate, empty database', async () => {
    const url = new URL(await testRedis());
    expect(Number(url.pathname.slice(1))).toBeGreaterThanOrEqual(16);
    const redis = new Redis(url.toString());
    expect(await redis.dbsize()).toBe(0);
    await redis.set('a', '1');
    await testRedis();
    expect(await redis.dbsize()).toBe(0);
    await redis.quit();
  });
});
