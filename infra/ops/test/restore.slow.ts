/** Restores a backup of running services on an empty machine: equal ledger, documents, files and log root. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { blobConfigFromEnv, createBlobStore } from '@karaar/storage/blobs';
import { inTransaction, type Db, type Tx } from '@karaar/db';
import { ensureSpans, idAt, partitionedTables } from '@karaar/db/partitions';
import { queueCommitment } from '@karaar/service-documents/features/transparency-log/log.repository';
import { startApi as startDocuments, type Api as Documents } from '@karaar/service-documents/test/api';
import { startApi as startPayments, type Api as Payments } from '@karaar/service-payments/test/api';
import { credit } from '@karaar/service-wallet/features/ledger/ledger.repository';
import { startApi as startWallet, type Api as Wallet } from '@karaar/service-wallet/test/api';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import pg from 'pg';
import { SERVICES, withDatabase } from '../src/databases.ts';
import { karaar } from './karaar.ts';

jest.setTimeout(120_000);

const logKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
const opened: TestDatabase[] = [];
let folder: string;
let documents: Documents;
let wallet: Wallet;
let payments: Payments;
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

/** Lets payments ask this wallet for debits. */
const toWallet = ({ service, world }: Wallet): Record<string, string> => ({
  WALLET_INTERNAL_URL: service.innerUrl,
  PAYMENTS_TO_WALLET_SECRETS: world.env['PAYMENTS_TO_WALLET_SECRETS'] ?? '',
});

/** Points the services that never ran, and so have no tables, to a database that has them. */
const withTables = (urls: Record<string, string>): Record<string, string> => ({
  ...urls,
  ...Object.fromEntries(
    SERVICES.filter((service) => !['documents', 'payments', 'wallet'].includes(service)).map((service) => [
      `${service.toUpperCase()}_DATABASE_URL`,
      urls['DOCUMENTS_DATABASE_URL'] ?? '',
    ]),
  ),
});

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
  payments = await startPayments('restore-payments', toWallet(wallet));
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
      documents: documents.world.ownerUrl,
      wallet: wallet.world.ownerUrl,
      payments: payments.world.ownerUrl,
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
  await payments.stop();
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
  const sound = await karaar(['check'], withTables(target));
  expect(sound.text).toContain('3 of 3 entries');
  expect(sound.text).toContain('Σ 0 paise, 0 faults');
  expect(sound.text).toContain('0 payments and 0 debits, 0 faults');
  expect(sound.text).toMatch(/ok {4} partitions of wallet: 3 tables in \d\d parts$/m);
  await rows(target['WALLET_DATABASE_URL'] ?? '', `drop table ${(await ahead())[1] ?? ''}`);
  expect((await karaar(['check'], withTables(target))).text).toMatch(
    /FAULT {2}partitions of wallet: .*; outbox: 0\.\d months/,
  );
  const url = target['DOCUMENTS_DATABASE_URL'] ?? '';
  await rows(
    url,
    `alter table log_entries disable trigger user;
    update log_entries set data = data || '\\x00'::bytea where index = 1`,
  );
  expect(await karaar(['check'], withTables(target))).toMatchObject({
    code: 1,
    text: expect.stringContaining('is NOT the signed one') as string,
  });
});

/**
 * Forwards connections to a database, whose snapshots for backups begin half a second late.
 * @param dumping is called when the rows are read
 */
async function lateSnapshots(
  databaseUrl: string,
  dumping: () => Promise<void>,
): Promise<{ url: string; close: () => void }> {
  const url = new URL(databaseUrl);
  let wait: Promise<void> | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(url.port), url.hostname);
    client.on('data', (chunk: Buffer) => {
      if (chunk.includes('copy (')) wait ??= dumping();
      const ready = chunk.includes('repeatable read') ? sleep(500) : wait;
      if (ready === undefined) upstream.write(chunk);
      else void ready.then(() => upstream.write(chunk));
    });
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(databaseUrl);
  [through.hostname, through.port] = ['127.0.0.1', String((server.address() as AddressInfo).port)];
  return { url: through.toString(), close: () => server.close() };
}

const AT_ONCE = 20;
/** Begins 50 payments a second until it is stopped; `paid` has the acknowledged ones. */
async function startPaying(): Promise<{ paid: Set<string>; stop: () => Promise<void> }> {
  const payers = await Promise.all(['Meera Iyer', 'Rahul Nair'].map((name) => payments.world.addUser(name)));
  for (const { userId } of payers)
    await credit(wallet.service.foundation.db, {
      idempotencyKey: `topup:${userId}`,
      userId,
      amountPaise: 10_000_000,
      description: 'Top-up',
      reference: 'drill',
    });
  const paid = new Set<string>();
  const underWay = new Set<Promise<void>>();
  const payOnce = async (payer: WorldUser): Promise<void> => {
    const id = payments.document([payer]);
    await payments.distribute(payer, id, [[payer, 100]]);
    const { status, body } = await payments.pay(payer, id);
    if (status === 200) paid.add(String(body['_id']));
  };
  const timer = setInterval(() => {
    // A machine under load pays fewer.
    if (underWay.size >= AT_ONCE) return;
    for (const payer of payers) {
      const paying = payOnce(payer).finally(() => underWay.delete(paying));
      underWay.add(paying);
    }
  }, 40);
  const stop = async () => {
    clearInterval(timer);
    await Promise.all(underWay);
  };
  return { paid, stop };
}

it('restores the payments and files of one moment while 50 payments a second go on', async () => {
  const { BLOB_DIR = '', BLOB_KEK = '' } = documents.world.env;
  const storeIn = (folderOfFiles: string) =>
    createBlobStore(blobConfigFromEnv({ SERVICE_NAME: 'documents', BLOB_DIR: folderOfFiles, BLOB_KEK }));
  const bytes = Buffer.from('taken out of its draft while the rows are read');
  const { path } = await storeIn(BLOB_DIR).put(randomUUID(), bytes, { mime: 'application/octet-stream' });
  const late = await lateSnapshots(source['WALLET_DATABASE_URL'] ?? '', () => storeIn(BLOB_DIR).delete(path));
  const { paid, stop } = await startPaying();
  const backup = join(folder, 'while-paying');
  let before: string[];
  let saved: Awaited<ReturnType<typeof karaar>>;
  try {
    await until('people pay', () => paid.size >= 50);
    before = [...paid];
    saved = await karaar(['backup', '--to', backup], { ...source, WALLET_DATABASE_URL: late.url });
  } finally {
    await stop();
    late.close();
  }
  expect(saved).toMatchObject({ code: 0 });
  const { BACKUP_IDENTITY_FILE = '' } = source;
  const fresh: Record<string, string> = {
    ...(await emptyDatabases()),
    BLOB_DIR: join(folder, 'while-paying-blobs'),
    BACKUP_IDENTITY_FILE,
  };
  expect(await karaar(['restore', '--from', backup], fresh)).toMatchObject({ code: 0 });

  expect(await storeIn(fresh['BLOB_DIR'] ?? '').read(path)).toEqual(bytes);

  const [walletUrl = '', paymentsUrl = ''] = [fresh['WALLET_DATABASE_URL'], fresh['PAYMENTS_DATABASE_URL']];
  const restoredWallet = await startWallet('restored-wallet', { DATABASE_URL: walletUrl });
  const restoredPayments = await startPayments('restored-payments', {
    ...toWallet(restoredWallet),
    DATABASE_URL: paymentsUrl,
    DOCUMENTS_INTERNAL_URL: payments.documents.url,
    PAYMENTS_TO_DOCUMENTS_SECRETS: payments.world.env['PAYMENTS_TO_DOCUMENTS_SECRETS'] ?? '',
    SWEEP_EVERY_MS: '100',
    SWEEP_AFTER_MS: '300',
  });
  try {
    await until('interrupted payments are settled', async () => {
      const open = await rows(
        paymentsUrl,
        `select from payments where status = 'pending' and started_at is not null`,
      );
      return open.length === 0;
    });
  } finally {
    await restoredPayments.stop();
    await restoredWallet.stop();
  }
  const { text } = await karaar(['check'], withTables(fresh));
  // Only the event that this test added is parked.
  expect(text.split('\n').filter((line) => line.startsWith('FAULT'))).toEqual([
    expect.stringMatching(/^FAULT {2}events of wallet: 0 wait .*, 1 parked, 0 dead letters$/),
  ]);
  const kept = (await rows(
    paymentsUrl,
    `select id, amount_paise::int as paise from payments where status = 'completed'`,
  )) as { id: string; paise: number }[];
  const keptIds = new Set(kept.map(({ id }) => id));
  expect(before.filter((id) => !keptIds.has(id))).toEqual([]);
  const sum = kept.reduce((total, { paise }) => total + paise, 0);
  expect(
    await rows(
      walletUrl,
      `select sum(amount_paise)::int as paise from transfers where idempotency_key like 'payment:%'`,
    ),
  ).toEqual([{ paise: sum }]);
  expect(text).toContain(`${kept.length} payments and ${kept.length} debits, 0 faults`);
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
