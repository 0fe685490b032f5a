import { join } from 'node:path';
import pg from 'pg';
import { testPostgres, type TestDatabase } from '../harness.ts';
import { migrateAsLater } from './later-release.ts';

const here = join(import.meta.dirname, '../../../..');
let database: TestDatabase;
beforeEach(async () => {
  database = await testPostgres('later-release');
});
afterEach(async () => {
  delete process.env['TEST_MIGRATED_BY'];
  await database.drop();
});

const migrations = async (): Promise<number> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('kysely_migration') is not null as there`,
    );
    if (rows[0]?.there !== true) return 0;
    return (await client.query('select from kysely_migration')).rowCount ?? 0;
  } finally {
    await client.end();
  }
};

it('migrates a service’s database with the named clone’s migrations', async () => {
  process.env['TEST_MIGRATED_BY'] = here;
  await migrateAsLater('cms', database.url);
  expect(await migrations()).toBeGreaterThan(0);
});

it('leaves the database empty if no clone is named', async () => {
  await migrateAsLater('cms', database.url);
  expect(await migrations()).toBe(0);
});

it('reports migrations that cannot run', async () => {
  process.env['TEST_MIGRATED_BY'] = '/no/such/clone';
  await expect(migrateAsLater('cms', database.url)).rejects.toThrow(
    '/no/such/clone/services/cms/src/migrate.ts',
  );
});
