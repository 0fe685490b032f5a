import { randomBytes } from 'node:crypto';
import { sharedTestBacking, type TestUrls } from './test-backing/test-backing.ts';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import pg from 'pg';

/** A database that belongs to one test file. */
export interface TestDatabase {
  /** Connection of a role that owns this database and nothing else: for migrations, and tests that make tables. */
  url: string;
  /** Connection of the role as which a service works: it owns nothing, and has the rights that migrations give it. */
  runtimeUrl: string;
  /**
   * Removes database and roles. Call it in `afterAll`, when all connections are closed or closing.
   *
   * @throws pg.DatabaseError after 5 s, when the database still has a connection
   */
  drop: () => Promise<void>;
}

let urls: Promise<TestUrls> | undefined;
let slot: Promise<number> | undefined;

/**
 * A fresh, empty database with its two roles on a real PostgreSQL 18.
 *
 * @param name says whose it is, for the reader of a server log; a random part makes it unique
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
    // PostgreSQL gives sessions 5 s to end. `with (force)` would end them with an error, which a closed pool throws.
    drop: () =>
      asRole(
        admin,
        `drop database if exists "${unique}"`,
        `drop role if exists "${unique}", "${unique}_app"`,
      ),
  };
}

/**
 * A NATS server with JetStream. On the project's own test services every test file gets an account with no streams
 * and subjects of its own; the URL has the credentials of a user with all rights in that account. Those of a single
 * service: `natsUrlOf`.
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
 * A Redis; on the project's own test services every test file gets an empty database of its own. Its user may do
 * everything; those of single services: `redisUrlOf`.
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

/** From the environment when all three are set (`npm test` does), else the shared ones of this clone. */
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

/** Number of this test file among all that run now: counted in Redis, since they run in many processes. */
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

/** Runs statements, one after the other, as the role of the URL. */
export async function asRole(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An account may have served an earlier test file. */
async function removeStreams(url: URL): Promise<void> {
  const connection = await connect({ servers: url.host, user: url.username, pass: url.password });
  const listed = await connection.request('$JS.API.STREAM.NAMES', '{}');
  const { streams } = listed.json<{ streams: string[] | null }>();
  for (const stream of streams ?? []) await connection.request(`$JS.API.STREAM.DELETE.${stream}`);
  await connection.close();
}
