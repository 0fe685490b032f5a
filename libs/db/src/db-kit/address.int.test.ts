import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import pg from 'pg';
import { until } from '@karaar/testing/until';
import { createDb } from './db.ts';

const CONNECTIONS = 8;
let database: TestDatabase;
/** Stays connected as the role, which may change its own password. */
let keeper: pg.Client;

const setPassword = (password: string) =>
  keeper.query(`ALTER ROLE CURRENT_USER PASSWORD ${keeper.escapeLiteral(password)}`);

/** Opens a pool with these passwords, and returns what replaces all its connections. */
function opened(passwords: string) {
  const url = new URL(database.runtimeUrl);
  url.password = passwords;
  let open = 0;
  const onIdleError = () => void (open -= 1);
  const db = createDb({ url: url.href, max: CONNECTIONS, applicationName: 'rotation', onIdleError });
  const replaceAll = async (): Promise<void> => {
    await keeper.query(`SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
      WHERE usename = current_user AND pid <> pg_backend_pid()`);
    await until('the pool has noticed', () => Promise.resolve(open === 0));
    await Promise.all(Array.from({ length: CONNECTIONS }, () => sql`SELECT pg_sleep(0.05)`.execute(db)));
    open = CONNECTIONS;
  };
  return { db, replaceAll };
}

beforeAll(async () => {
  database = await testPostgres('passwords');
  keeper = new pg.Client({ connectionString: database.runtimeUrl });
  await keeper.connect();
});
afterAll(async () => {
  await keeper.end();
  await database.drop();
});

it('connects with the password that the server accepts, before, during and after a rotation', async () => {
  await setPassword('old%');
  const { db, replaceAll } = opened('old%25,new');
  await replaceAll();
  await setPassword('new');
  await replaceAll();
  await replaceAll();
  await setPassword('old%');
  await replaceAll();
  await db.destroy();
});

it('fails if the server accepts none of them, or another fault occurs', async () => {
  await setPassword('third');
  const { db, replaceAll } = opened('old,new');
  await expect(replaceAll()).rejects.toMatchObject({ code: '28P01' });
  await db.destroy();
  const { href } = Object.assign(new URL(database.runtimeUrl), { password: 'old,new', port: '1' });
  const absent = createDb({ url: href, applicationName: 'absent' });
  await expect(sql`SELECT 1`.execute(absent)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await absent.destroy();
});
