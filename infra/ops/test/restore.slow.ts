/** Restores a backup of running services on an empty machine: equal ledger, documents, files and log root. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { blobConfigFromEnv, createBlobStore } from '@karaar/storage/blobs';
import { inTransaction, migrateToLatest, type Db, type Tx } from '@karaar/db';
import { ensureSpans, idAt, partitionedTables } from '@karaar/db/partitions';
import { queueCommitment } from '@karaar/service-documents/features/transparency-log/log.repository';
import { startApi as startDocuments, type Api as Documents } from '@karaar/service-documents/test/api';
import { startApi as startWallet, type Api as Wallet } from '@karaar/service-wallet/test/api';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import pg from 'pg';
import { SERVICES, tables, withDatabase } from '../src/databases.ts';
import { karaar } from './karaar.ts';

jest.setTimeout(120_000);

const logKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
const opened: TestDatabase[] = [];
let folder: string;
let documents: Documents;
let wallet: Wallet;
let checkpoint: string;
let blobs: { path: string; bytes: Buffer }[];
let source: Record<string, string>;
let target: Record<string, string>;

const rows = async (url: string, query: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
};

async function emptyDatabases(given: Record<string, string> = {}): Promise<Record<string, string>> {
  const urls: Record<string, string> = {};
  for (const service of SERVICES) {
    const name = `${service.toUpperCase()}_DATABASE_URL`;
    if (given[service] === undefined) opened.push(await testPostgres(`restore-${service}`));
    urls[name] = given[service] ?? opened.at(-1)?.url ?? '';
  }
  return urls;
}

/** Adds an old parked event, in a partition of its month. */
async function addOldEvent(tx: Tx<unknown>): Promise<void> {
  const plan = (await partitionedTables(tx)).find(({ table }) => table === 'outbox');
  if (plan) await ensureSpans(tx, plan, new Date('2024-01-31'));
  await sql`
    insert into outbox (id, subject, type, version, aggregate_id, aggregate_version, data, parked_at)
    values (${idAt(new Date('2024-02-05'))}, 'evt.wallet.old.v1', 'wallet.old', 1, 'a', 1, '{}', now())`.execute(
    tx,
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-restore-'));
  documents = await startDocuments('restore-documents', {
    LOG_ORIGIN: 'karaar.test/log',
    LOG_KEY: logKey.toString('base64'),
  });
  const owner = await documents.world.addUser('Asha Rao');
  for (let i = 0; i < 3; i += 1) {
    const { id } = await documents.create(owner);
    await inTransaction(documents.service.foundation.db, (tx) =>
      queueCommitment(tx, {
        documentId: id,
        sha256: randomBytes(32).toString('hex'),
        sealedAt: '2026-11-21T06:00:00.000Z',
        salt: randomBytes(32),
      }),
    );
  }
  await until('all are logged', async () => {
    checkpoint = await (await fetch(`${documents.url}/log/checkpoint`)).text();
    return checkpoint.split('\n')[1] === '3';
  });
  // Later, because its stand-in for auth does not know the users above.
  wallet = await startWallet('restore-wallet');
  const payer = await wallet.world.addUser('Vikram Shah');
  await wallet.topUp(payer, 500);
  await wallet.topUp(payer, 250);
  const walletDatabase = { service: 'wallet', url: wallet.world.env['DATABASE_URL'] ?? '' };
  await withDatabase(walletDatabase, (db: Db<unknown>) => inTransaction(db, addOldEvent));
  const { BLOB_DIR = '', BLOB_KEK = '' } = documents.world.env;
  const store = createBlobStore(blobConfigFromEnv({ SERVICE_NAME: 'documents', BLOB_DIR, BLOB_KEK }));
  blobs = await Promise.all(
    ['one', 'two'].map(async (text) => {
      const bytes = Buffer.from(text);
      const { path } = await store.put(owner.userId, bytes, { mime: 'application/octet-stream' });
      return { path, bytes };
    }),
  );
  const made = await karaar(['backup-key', '--to', join(folder, 'identity')], {});
  const recipient = /^BACKUP_RECIPIENTS=(age1\S+)$/m.exec(made.text)?.[1] ?? '';
  source = {
    BACKUP_RECIPIENTS: recipient,
    BACKUP_IDENTITY_FILE: join(folder, 'identity'),
    ...(await emptyDatabases({
      documents: documents.world.env['DATABASE_URL'] ?? '',
      wallet: wallet.world.env['DATABASE_URL'] ?? '',
    })),
    BLOB_DIR,
  };
  target = {
    ...(await emptyDatabases()),
    BLOB_DIR: join(folder, 'new-blobs'),
    BACKUP_IDENTITY_FILE: join(folder, 'identity'),
  };
});

afterAll(async () => {
  await Promise.all([documents.stop(), wallet.stop()]);
  await Promise.all(opened.map((database) => database.drop()));
  await rm(folder, { recursive: true, force: true });
});

/** Returns the event partitions from this month on in the restored wallet. */
const ahead = async (): Promise<string[]> => {
  const found = await rows(
    target['WALLET_DATABASE_URL'] ?? '',
    `select relname from pg_class where relname ~ '^outbox_\\d{4}_\\d\\d$' order by 1 desc limit 4`,
  );
  return (found as { relname: string }[]).map(({ relname }) => relname).reverse();
};

const LEDGER = 'select * from entries order by transfer_id, account_id';
const DOCUMENTS = 'select * from documents order by id';
const EVENTS = 'select tableoid::regclass::text as place, * from outbox order by id';

it('backs up running services, and restores equal ledgers, documents, files and log root', async () => {
  const saved = await karaar(['backup', '--to', join(folder, 'backup')], source);
  expect(saved).toMatchObject({ code: 0, text: expect.stringContaining('7 databases') as string });
  const [events, ledger, agreements] = [
    await rows(source['WALLET_DATABASE_URL'] ?? '', EVENTS),
    await rows(source['WALLET_DATABASE_URL'] ?? '', LEDGER),
    await rows(source['DOCUMENTS_DATABASE_URL'] ?? '', DOCUMENTS),
  ];
  expect([ledger.length, agreements.length]).toEqual([4, 3]);

  const restored = await karaar(['restore', '--from', join(folder, 'backup')], target);
  expect(restored).toMatchObject({
    code: 0,
    text: expect.stringContaining('Start the services now') as string,
  });
  expect(await rows(target['WALLET_DATABASE_URL'] ?? '', LEDGER)).toEqual(ledger);
  expect(await rows(target['DOCUMENTS_DATABASE_URL'] ?? '', DOCUMENTS)).toEqual(agreements);
  // An old row is in the partition of its month, which today's migrations would not create.
  expect(events).toContainEqual(expect.objectContaining({ place: 'outbox_2024_02' }));
  expect(await rows(target['WALLET_DATABASE_URL'] ?? '', EVENTS)).toEqual(events);

  const { BLOB_KEK = '' } = documents.world.env;
  const store = createBlobStore(
    blobConfigFromEnv({ SERVICE_NAME: 'documents', BLOB_DIR: target['BLOB_DIR'] ?? '', BLOB_KEK }),
  );
  for (const { path, bytes } of blobs) expect(await store.read(path)).toEqual(bytes);
});

it('encrypts every row, and checks the key before it changes anything', async () => {
  const names = await readdir(join(folder, 'backup'), { recursive: true, withFileTypes: true });
  const dumps = names.filter((entry) => entry.isFile() && !entry.parentPath.includes('files'));
  const copies = dumps.filter(({ name }) => name.includes('.copy'));
  expect(copies.length).toBeGreaterThan(20);
  for (const { parentPath, name } of copies) {
    const bytes = await readFile(join(parentPath, name));
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  }
  expect((await stat(join(folder, 'identity'))).mode & 0o777).toBe(0o600);
  expect((await karaar(['backup-key', '--to', join(folder, 'identity')], {})).text).toContain('a new file');

  const { BACKUP_RECIPIENTS: _none, ...unnamed } = source;
  const refused = await karaar(['backup', '--to', join(folder, 'never')], unnamed);
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('BACKUP_RECIPIENTS') as string });
  const nonsense = { ...source, BACKUP_RECIPIENTS: 'age1nobody' };
  expect((await karaar(['backup', '--to', join(folder, 'never')], nonsense)).text).toContain(
    'not a recipient',
  );
  await expect(readdir(join(folder, 'never'))).rejects.toThrow('ENOENT');

  await karaar(['backup-key', '--to', join(folder, 'other')], {});
  const empty: Record<string, string> = { ...(await emptyDatabases()), BLOB_DIR: join(folder, 'fourth') };
  const withKey = (file: string) =>
    karaar(['restore', '--from', join(folder, 'backup')], { ...empty, BACKUP_IDENTITY_FILE: file });
  for (const [attempt, text] of [
    [karaar(['restore', '--from', join(folder, 'backup')], empty), 'BACKUP_IDENTITY_FILE must name'],
    [withKey(join(folder, 'away')), 'cannot be read'],
    [withKey(join(folder, 'backup', 'manifest.json')), 'holds no identity'],
    [withKey(join(folder, 'other')), 'The key does not open'],
  ] as const)
    expect(await attempt).toMatchObject({ code: 1, text: expect.stringContaining(text) as string });
  const tables = `select 1 from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`;
  expect(await rows(empty['WALLET_DATABASE_URL'] ?? '', tables)).toEqual([]);
});

it('the restored service serves the same checkpoint, and still refuses changes to history', async () => {
  const own = { DATABASE_URL: target['DOCUMENTS_DATABASE_URL'] ?? '', BLOB_DIR: target['BLOB_DIR'] ?? '' };
  const again = await startDocuments('restored-documents', {
    ...own,
    LOG_ORIGIN: 'karaar.test/log',
    LOG_KEY: logKey.toString('base64'),
  });
  try {
    expect(await (await fetch(`${again.url}/log/checkpoint`)).text()).toBe(checkpoint);
  } finally {
    await again.stop();
  }
  const url = target['WALLET_DATABASE_URL'] ?? '';
  await expect(rows(url, 'delete from entries')).rejects.toThrow();
  await expect(rows(url, 'update transfers set amount_paise = 1')).rejects.toThrow();
});

it('check verifies both installations, and reports manipulated rows', async () => {
  const unmigrated = SERVICES.filter((service) => !['documents', 'payments', 'wallet'].includes(service));
  const payments = { service: 'payments', url: target['PAYMENTS_DATABASE_URL'] ?? '' };
  await withDatabase(payments, (db: Db<unknown>) => migrateToLatest(db, tables.payments.migrations));
  // Databases of services that never ran have no tables.
  for (const service of unmigrated) {
    const name = `${service.toUpperCase()}_DATABASE_URL`;
    target[name] = target['DOCUMENTS_DATABASE_URL'] ?? '';
  }
  const sound = await karaar(['check'], target);
  expect(sound.text).toContain('3 of 3 entries');
  expect(sound.text).toContain('Σ 0 paise, 0 faults');
  expect(sound.text).toContain('0 payments and 0 debits, 0 faults');
  expect(sound.text).toMatch(/ok {4} partitions of wallet: 3 tables in \d\d parts$/m);
  await rows(target['WALLET_DATABASE_URL'] ?? '', `drop table ${(await ahead())[1] ?? ''}`);
  expect((await karaar(['check'], target)).text).toMatch(
    /FAULT {2}partitions of wallet: .*; outbox: 0\.\d months/,
  );
  const url = target['DOCUMENTS_DATABASE_URL'] ?? '';
  await rows(
    url,
    `alter table log_entries disable trigger user;
    update log_entries set data = data || '\\x00'::bytea where index = 1`,
  );
  expect(await karaar(['check'], target)).toMatchObject({
    code: 1,
    text: expect.stringContaining('is NOT the signed one') as string,
  });
});

it('refuses a non-empty installation and a modified backup', async () => {
  const full = await karaar(['restore', '--from', join(folder, 'backup')], source);
  expect(full).toMatchObject({ code: 1, text: expect.stringContaining('needs an empty one') as string });
  const [file = ''] = await readdir(join(folder, 'backup', 'wallet'));
  await appendFile(join(folder, 'backup', 'wallet', file), 'x');
  const fresh = {
    ...(await emptyDatabases()),
    BLOB_DIR: join(folder, 'third'),
    BACKUP_IDENTITY_FILE: join(folder, 'identity'),
  };
  const damaged = await karaar(['restore', '--from', join(folder, 'backup')], fresh);
  expect(damaged).toMatchObject({
    code: 1,
    text: expect.stringContaining('is not what was backed up') as string,
  });
});

it('rotates the file keys, so that the old key is no longer needed', async () => {
  const old = documents.world.env['BLOB_KEK'] ?? '';
  const next = `next:${randomBytes(32).toString('base64')}`;
  const env = { BLOB_DIR: target['BLOB_DIR'] ?? '' };
  const none = await karaar(['rotate-blob-keys'], env);
  expect(none).toMatchObject({ code: 1, text: expect.stringContaining('DOCUMENTS_BLOB_KEK') as string });
  const rotated = await karaar(['rotate-blob-keys'], { ...env, DOCUMENTS_BLOB_KEK: `${next},${old}` });
  expect(rotated.text).toMatch(/^documents: [1-9]\d* data keys/);
  const store = createBlobStore(blobConfigFromEnv({ SERVICE_NAME: 'documents', ...env, BLOB_KEK: next }));
  for (const { path, bytes } of blobs) expect(await store.read(path)).toEqual(bytes);
  expect(await readFile(join(folder, 'backup', 'manifest.json'), 'utf8')).not.toContain(next);
});
