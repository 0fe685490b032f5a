/** `karaar backup` on a standby, and `restore` to a database that does not exist. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { backingPaths } from '@karaar/testing/backing/paths';
import { startPostgres, type PostgresPart } from '@karaar/testing/backing/postgres';
import { postgresHome } from '@karaar/testing/backing/postgres-home';
import { backUp } from '../src/backup/backup.ts';
import { makeBackupKey } from '../src/backup/sealing.ts';
import { expectEmpty } from '../src/backup/load.ts';
import { databasesOf, SERVICES } from '../src/databases.ts';

jest.setTimeout(120_000);

let folder: string;
let postgres: PostgresPart;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'karaar-standby-'));
  const paths = backingPaths(folder);
  postgres = await startPostgres(paths, false);
  const { home } = await postgresHome(paths);
  writeFileSync(join(home, 'data', 'standby.signal'), '');
  await postgres.restart();
});
afterAll(async () => {
  await postgres.stop();
  if (postgres.outside !== undefined) rmSync(postgres.outside, { recursive: true });
  rmSync(folder, { recursive: true });
});

it('fails at once, names the standby and the variable for the primary, and writes nothing', async () => {
  const [blobs, to] = [join(folder, 'blobs'), join(folder, 'backup')];
  mkdirSync(blobs);
  const env = {
    BACKUP_RECIPIENTS: await makeBackupKey(join(folder, 'identity')),
    BLOB_DIR: blobs,
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, postgres.url])),
  };
  await expect(backUp(['--to', to], env)).rejects.toThrow(
    /^The database of auth at 127\.0\.0\.1 is a standby.* AUTH_DATABASE_URL, to the address of the primary/,
  );
  expect(existsSync(to)).toBe(false);
});

it('names a database that cannot be opened before a restore', async () => {
  const url = new URL(postgres.url);
  url.pathname = '/missing';
  const databases = databasesOf(
    Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, url.toString()])),
  );
  const backed = { service: 'auth', migrations: [], tables: [], sequences: [] };
  await expect(expectEmpty(databases, [backed])).rejects.toThrow(
    'The database of auth cannot be opened: database "missing" does not exist',
  );
});
