/** Restores a backup of the product to empty databases and an empty folder, and compares a second backup. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Decrypter } from 'age-encryption';
import { jest } from '@jest/globals';
import { PUBLISHERS } from '@karaar/contracts/names';
import { backingPaths } from '@karaar/testing/backing/paths';
import { cloneRoot } from '@karaar/testing/roots';
import pg from 'pg';
import { newPerson } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';

jest.setTimeout(180_000);

type Manifest = {
  takenAt: string;
  databases: { service: string; tables: { name: string; rows: number; file: string; sha256: string }[] }[];
  files: { count: number };
};

let folder: string;
let admin: pg.Client;
const restored = (service: string) => `restored_${service}_${process.pid}`;

const karaar = async (args: string[], env: Record<string, string>): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(cloneRoot, 'infra/ops/src/cli.ts'), ...args],
    { env: { PATH: process.env['PATH'] ?? '', ...env } },
  );
  return stdout;
};

const keyFile = () => join(folder, 'identity');
const identity = async (): Promise<string> =>
  /^AGE-SECRET-KEY-\S+$/m.exec(await readFile(keyFile(), 'utf8'))?.[0] ?? '';

/**
 * Returns the manifest of a backup without its time, and with hashes of the rows. The rows are decompressed and
 * sorted, because neither their order nor their compression is fixed.
 */
async function contentsOf(name: string): Promise<Omit<Manifest, 'takenAt'>> {
  const text = await readFile(join(folder, name, 'manifest.json'), 'utf8');
  const { takenAt: _when, ...contents } = JSON.parse(text) as Manifest;
  const databases = await Promise.all(
    contents.databases.map(async (database) => ({
      ...database,
      tables: await Promise.all(
        database.tables.map(async (table) => ({
          ...table,
          sha256: await rowsHash(join(folder, name, table.file)),
        })),
      ),
    })),
  );
  return { ...contents, databases };
}

/** @param file the output of COPY, compressed and encrypted to the key of this test */
async function rowsHash(file: string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(await identity());
  const rows = gunzipSync(await decrypter.decrypt(await readFile(file)))
    .toString('utf8')
    .split('\n');
  return createHash('sha256').update(rows.sort().join('\n')).digest('hex');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-backup-'));
  admin = new pg.Client({ connectionString: sharedProduct.postgresUrl });
  await admin.connect();
  const tail = String(Date.now()).slice(-7);
  const one = await newPerson(sharedProduct.url, 'Kept Rao', `+91975${tail}`);
  const other = await newPerson(sharedProduct.url, 'Kept Shah', `+91976${tail}`);
  await one.send('/messaging/send', { receiver_id: other.userId, content: 'kept' });
  await one.call('POST', '/wallet/create-razorpay-order', { amount: 5 });
}, 60_000);
afterAll(async () => {
  for (const service of PUBLISHERS) await admin.query(`drop database if exists ${restored(service)}`);
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

it('restores every table and every file unchanged', async () => {
  const { dataDir } = backingPaths(sharedProduct.stateDir);
  const made = await karaar(['backup-key', '--to', keyFile()], {});
  const keys = {
    BACKUP_RECIPIENTS: /age1\w+/.exec(made)?.[0] ?? '',
    BACKUP_IDENTITY_FILE: keyFile(),
  };
  await karaar(['backup', '--to', join(folder, 'first')], {
    ...keys,
    ADMIN_DATABASE_URL: sharedProduct.postgresUrl,
    BLOB_DIR: join(dataDir, 'blobs'),
  });
  for (const service of PUBLISHERS)
    await admin.query(`create database ${restored(service)} owner karaar_${service}`);
  const urlOf = (service: string) => {
    const url = Object.assign(new URL(sharedProduct.postgresUrl), { pathname: `/${restored(service)}` });
    url.searchParams.set('options', `-c role=karaar_${service}`);
    return url.href;
  };
  const target = {
    ...keys,
    ...Object.fromEntries(
      PUBLISHERS.map((service) => [`${service.toUpperCase()}_DATABASE_URL`, urlOf(service)]),
    ),
    BLOB_DIR: join(folder, 'blobs'),
  };
  await karaar(['restore', '--from', join(folder, 'first')], target);
  await karaar(['backup', '--to', join(folder, 'second')], target);

  const first = await contentsOf('first');
  expect(await contentsOf('second')).toEqual(first);
  // A product in use has rows and files everywhere, so the comparison covers all tables.
  expect(first.files.count).toBeGreaterThan(0);
  const filled = first.databases.map(({ service, tables }) => [service, tables.some(({ rows }) => rows > 0)]);
  expect(Object.fromEntries(filled)).toEqual(
    Object.fromEntries(PUBLISHERS.map((service) => [service, true])),
  );
  const checked = await karaar(['check'], target);
  expect(checked).toMatch(/Σ 0 paise, 0 faults/);
  expect(checked).toMatch(/\d+ payments and \d+ debits, 0 faults/);
});
