import { randomBytes } from 'node:crypto';
import { sharedTestBacking, type TestUrls } from './test-backing/test-backing.ts';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import pg from 'pg';

/** A database that belongs to one test file. */
export interface TestDatabase {
  /** URL of a role that owns only this database: for migrations, and tests that create tables. */
  url: string;
  /** URL of the role that a service uses: it owns nothing, and migrations grant its rights. */
  runtimeUrl: string;
  /**
   * Removes database and roles. Call it in `afterAll`, when all connections are closed or closing.
   *
   * @throws pg.DatabaseError after 5 s if the database still has a connection
   */
  drop: () => Promise<void>;
}

let urls: Promise<TestUrls> | undefined;
let slot: Promise<number> | undefined;

/**
 * Creates an empty database with its two roles on a real PostgreSQL 18.
 *
 * @param name identifies the owner in server logs; a random part makes it unique
 */
export async function testPostgres(name: string): Promise<TestDatabase> {
  const admin = (await testUrls()).postgresUrl;
  const unique = `t_${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 30)}_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await asRole(
    admin,
    `create role "${unique}" login password '${password}'`,
    `create role "${unique}_app" login password '${password}'`,
    `create database "${unique}" owner "${unique}" strategy file_copy`,
  );
  const urlOf = (role: string): string => {
    const url = new URL(admin);
    [url.username, url.password, url.pathname] = [role, password, `/${unique}`];
    return url.toString();
  };
  return {
    url: urlOf(unique),
    runtimeUrl: urlOf(`${unique}_app`),
    // PostgreSQL gives sessions 5 s to end. `with (force)` would end them with an error, which a closed pool
    // throws.
    drop: () =>
      asRole(
        admin,
        `drop database if exists "${unique}"`,
        `drop role if exists "${unique}", "${unique}_app"`,
      ),
  };
}

/**
 * Returns the URL of a NATS server with JetStream. On the project's own test services every test file gets a
 * separate account without streams; the URL's user has all rights in it. For the user of a service see
 * `natsUrlOf`.
 */
export async function testNats(): Promise<string> {
  const { natsUrl, isolated } = await testUrls();
  if (isolated === 0) return natsUrl;
  const account = `t${await mySlot()}`;
  const url = new URL(natsUrl);
  [url.username, url.password] = [account, account];
  await removeStreams(url);
  return url.toString();
}

/**
 * Returns the URL of a Redis; on the project's own test services every test file gets a separate, empty
 * database. Its user has all rights; for the user of a service see `redisUrlOf`.
 */
export async function testRedis(): Promise<string> {
  const { redisUrl, isolated } = await testUrls();
  if (isolated === 0) return redisUrl;
  const url = new URL(redisUrl);
  url.pathname = `/${reservedDatabases + (await mySlot())}`;
  const redis = new Redis(url.toString());
  await redis.flushdb();
  await redis.quit();
  return url.toString();
}

const reservedDatabases = 16;

/** From the environment if all three are set (`npm test` sets them), else the shared ones of this clone. */
function testUrls(): Promise<TestUrls> {
  const { TEST_DATABASE_URL, TEST_NATS_URL, TEST_REDIS_URL, TEST_ISOLATED } = process.env;
  urls ??=
    TEST_DATABASE_URL && TEST_NATS_URL && TEST_REDIS_URL
      ? Promise.resolve({
          postgresUrl: TEST_DATABASE_URL,
          natsUrl: TEST_NATS_URL,
          redisUrl: TEST_REDIS_URL,
          isolated: Number(TEST_ISOLATED ?? 0),
        })
      : sharedTestBacking();
  return urls;
}

/** Number of this test file among all running ones: counted in Redis, because they run in many processes. */
function mySlot(): Promise<number> {
  slot ??= (async () => {
    const { redisUrl, isolated } = await testUrls();
    const redis = new Redis(redisUrl);
    const count = await redis.incr('karaar:test:slot');
    await redis.quit();
    return count % isolated;
  })();
  return slot;
}

/** Runs statements in order as the role of the URL. */
export async function asRole(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An earlier test file may have used the account. */
async function removeStreams(url: URL): Promise<void> {
  const connection = await connect({ servers: url.host, user: url.username, pass: url.password });
  const listed = await connection.request('$JS.API.STREAM.NAMES', '{}');
  const { streams } = listed.json<{ streams: string[] | null }>();
  for (const stream of streams ?? []) await connection.request(`$JS.API.STREAM.DELETE.${stream}`);
  await connection.close();
}
