/** The operator creates the first admin with the tool's own database variables. */
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import pg from 'pg';
import { karaar } from './karaar.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await testPostgres('create-admin')));
afterAll(() => database.drop());

it.each([
  ['AUTH_DATABASE_URL', 'first-admin'],
  ['DATABASE_URL', 'second-admin'],
])('is made in the database that %s names', async (variable, username) => {
  const env = { [variable]: database.url, ADMIN_PASSWORD: 'correct horse battery' };
  expect(await karaar(['create-admin', '--username', username], env)).toMatchObject({ code: 0 });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT username FROM admins WHERE username = $1', [username]);
    expect(rows).toHaveLength(1);
  } finally {
    await client.end();
  }
});

it('uses the database of auth if only ADMIN_DATABASE_URL is set', async () => {
  const nowhere = 'postgres://operator:secret@127.0.0.1:1/postgres';
  const env = { ADMIN_DATABASE_URL: nowhere, ADMIN_PASSWORD: 'correct horse battery' };
  const { code, text } = await karaar(['create-admin', '--username', 'third-admin'], env);
  expect(code).toBe(1);
  // The error comes from the connection, so the URL was found.
  expect(text).toContain('ECONNREFUSED');
  expect(text).not.toContain('secret');
});

it('names the missing variable', async () => {
  const { code, text } = await karaar(['create-admin', '--username', 'x'], {
    ADMIN_PASSWORD: 'correct horse',
  });
  expect([code, text]).toEqual([1, expect.stringContaining('DATABASE_URL')]);
});
