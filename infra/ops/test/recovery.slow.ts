/**
 * Point-in-time recovery by the commands of docs/operations.md: load, a base backup, more load, and a
 * recovery in between.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { authEvents } from '@karaar/contracts/auth/events';
import { connectBus, createOutbox, startBrokerAdmin, type BrokerAdmin } from '@karaar/bus';
import { createDb, inTransaction, migrateToLatest, uuidv7, type Db } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import { registry } from '@karaar/observability/telemetry';
import { fromHex } from '@karaar/proof/bytes';
import { checkPlace, logTrust } from '@karaar/proof/seal/check-place';
import { ALGORITHM, formatKey, noteKey } from '@karaar/proof/log/note';
import type { Db as DocumentsDb, Database } from '@karaar/service-documents/db/schema';
import { cosign, lookAtWitness } from '@karaar/service-documents/features/transparency-log/cosign';
import {
  openLogIdentity,
  parseWitness,
} from '@karaar/service-documents/features/transparency-log/log-identity';
import { presentProof } from '@karaar/service-documents/features/transparency-log/log.presenter';
import {
  findCommitment,
  cosignedSize,
  latestCheckpoint,
  restartNotes,
} from '@karaar/service-documents/features/transparency-log/log.repository';
import { placeOf } from '@karaar/service-documents/features/transparency-log/place';
import { startLogWorker } from '@karaar/service-documents/features/transparency-log/log.worker';
import { sequence } from '@karaar/service-documents/features/transparency-log/sequence';
import {
  logContext,
  sealDocuments,
} from '@karaar/service-documents/features/transparency-log/testing/log-database';
import { credit, debit } from '@karaar/service-wallet/features/ledger/ledger.repository';
import type { Database as Wallet } from '@karaar/service-wallet/db/schema';
import { startBroker, type TestBroker } from '@karaar/testing/servers/broker';
import { until } from '@karaar/testing/until';
import { startWitness, type WitnessProcess } from '@karaar/testing/servers/witness-process';
import { sql } from 'kysely';
import pg from 'pg';
import { databaseOf, databasesOf, withDatabase, type Service } from '../src/databases.ts';
import { karaar } from './karaar.ts';
import { startRecoverable, type RecoverablePostgres } from './testing/recoverable-postgres.ts';

jest.setTimeout(240_000);

const logger = createLogger({ name: 'drill', level: 'silent' });
const secrets = [0, 1].map(() => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    secret: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    raw: new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)),
  };
});
const [ofLog = { secret: '', raw: new Uint8Array() }, ofWitness = ofLog] = secrets;
const WITNESS = noteKey('witness.test/drill', ALGORITHM.cosignatureV1, ofWitness.raw);
const [ORIGIN, NEXT] = ['drill.test/log', 'drill.test/log/2'];
const identity = (origin: string) => openLogIdentity({ origin, secret: ofLog.secret, stateDir: '' });
const payer = uuidv7();

let postgres: RecoverablePostgres;
let broker: TestBroker;
let brokerAdmin: BrokerAdmin;
let folder: string;
let witness: WitnessProcess;
let env: Record<string, string>;

const witnessProcess = (origin: string, name: string): Promise<WitnessProcess> =>
  startWitness({
    name: WITNESS.name,
    secret: ofWitness.secret,
    logKey: formatKey(identity(origin).key),
    folder: join(folder, name),
  });
const witnessLine = () => `${formatKey(WITNESS)} ${witness.url}`;
const within = <DB, T>(service: Service, work: (db: Db<DB>) => Promise<T>): Promise<T> =>
  withDatabase<DB, T>(databaseOf(env, service), work);

async function makeDatabases(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const { service } of databasesOf(env)) {
    const name = `karaar_${service}`;
    await client.query(`create role ${name} login`);
    await client.query(`create role ${name}_app login`);
    await client.query(`create database ${name} owner ${name} strategy file_copy`);
  }
  await client.end();
  for (const database of databasesOf(env))
    await withDatabase(database, (db: Db<unknown>) => migrateToLatest(db, database.migrations));
  await within('documents', (db: Db<unknown>) => sql`create table effects (user_id text)`.execute(db));
}

/** Writes a payment as its service does: the debit, then its own row. */
async function pay(): Promise<void> {
  const id = uuidv7();
  const { transferId } = await within<Wallet, { transferId: string }>('wallet', (db) =>
    debit(db, {
      idempotencyKey: `payment:${id}`,
      userId: payer,
      amountPaise: 100,
      description: 'Rent agreement',
      reference: id,
    }),
  );
  await within('payments', (db: Db<unknown>) =>
    sql`insert into payments (id, document_id, document_name, user_id, amount_paise, status, started_at, transfer_id, completed_at)
      values (${id}, ${uuidv7()}, 'Rent agreement', ${payer}, 100, 'completed', now(), ${transferId}, now())`.execute(
      db,
    ),
  );
}

/** Seals documents, logs them under this origin and has the witness cosign. Returns their ids. */
const seal = (count: number, origin = ORIGIN): Promise<string[]> =>
  within<Database, string[]>('documents', async (db) => {
    const ids = await sealDocuments(db, count);
    while ((await sequence(db, identity(origin))) > 0);
    await cosign(db, parseWitness(witnessLine()));
    return ids;
  });

const keys = async (db: DocumentsDb, origin: string) => ({
  log: formatKey(identity(origin).key),
  witnesses: [formatKey(WITNESS)],
  restarts: await restartNotes(db),
});
/** Returns the proof that a party gets for a document. */
const proofOf = (documentId: string, origin = ORIGIN) =>
  within<Database, ReturnType<typeof presentProof>>('documents', async (db) => {
    const commitment = await findCommitment(db, { documentId });
    const place =
      commitment && (await placeOf({ db, log: { quorum: 1, witnesses: [{ key: WITNESS }] } }, commitment));
    if (!place) throw new Error('the document has no place in the log');
    return presentProof(place, await keys(db, origin));
  });
const holds = (proof: ReturnType<typeof presentProof>, trusted = proof.keys): boolean =>
  checkPlace(proof, fromHex(proof.sha256), logTrust(trusted)).checks.every(({ ok }) => ok);

/** Runs auth's outbox during `work`, after it has published an event for each of these users. */
async function withAuth(users: string[], work: () => Promise<void> = async () => undefined): Promise<void> {
  const db = createDb<unknown>({ url: databaseOf(env, 'auth').url, applicationName: 'auth' });
  const bus = await connectBus({ url: broker.url, name: 'auth', logger });
  const outbox = createOutbox(db, bus, { logger, pollMs: 100 });
  outbox.start();
  for (const user_id of users)
    await inTransaction(db, (tx) =>
      outbox.add(tx, authEvents.userUpdated, {
        aggregateId: user_id,
        aggregateVersion: 1,
        data: { user_id },
      }),
    );
  await until('all are published', async () => {
    const { rows } = await sql`select 1 from outbox where published_at is null`.execute(db);
    return rows.length === 0;
  });
  await work();
  await outbox.stop();
  await bus.close();
  await db.destroy();
}

const effects = async (db: Db<unknown>): Promise<string[]> =>
  (await sql<{ user_id: string }>`select user_id from effects order by user_id`.execute(db)).rows.map(
    ({ user_id }) => user_id,
  );

/** Consumes events as documents does until this user's event is applied. Returns all applied users. */
async function applyUntil(user: string): Promise<string[]> {
  const db = createDb<unknown>({ url: databaseOf(env, 'documents').url, applicationName: 'documents' });
  const bus = await connectBus({ url: broker.url, name: 'documents', logger });
  await bus.consume({
    db,
    event: authEvents.userUpdated,
    handlerName: 'directory-updated',
    handle: async ({ data }, tx) => {
      await sql`insert into effects (user_id) values (${data.user_id})`.execute(tx);
    },
  });
  await until(`${user} is applied`, async () => (await effects(db)).includes(user));
  const all = await effects(db);
  await bus.close();
  await db.destroy();
  return all;
}

const size = () => within<Database, unknown>('documents', async (db) => (await latestCheckpoint(db))?.size);
const HALTED = /^transparency_log_halted(\{.*\})? 1$/m;

/** Starts the log worker of documents; it adds a document and gets the witness's cosignature. */
async function startSigner(): Promise<{ stop: () => Promise<void> }> {
  const db = createDb<Database>({
    url: databaseOf(env, 'documents').url,
    applicationName: 'documents',
    onIdleError: () => undefined,
  });
  const witnesses = [parseWitness(witnessLine())];
  const worker = startLogWorker(logContext(db, { identity: identity(ORIGIN), witnesses, quorum: 1 }));
  await sealDocuments(db, 1);
  await until('the witness has cosigned it', async () => {
    const head = await latestCheckpoint(db);
    return head?.size === 7 && (await cosignedSize(db, WITNESS.name)) === 7;
  });
  return {
    stop: async () => {
      await worker.stop();
      await db.destroy();
    },
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-drill-'));
  [postgres, broker] = await Promise.all([startRecoverable(), startBroker()]);
  brokerAdmin = await startBrokerAdmin({ url: broker.url, logger });
  witness = await witnessProcess(ORIGIN, 'witness');
  env = {
    ADMIN_DATABASE_URL: postgres.url,
    NATS_URL: broker.url,
    AUTH_SECRET: randomBytes(32).toString('base64'),
    LOG_ORIGIN: ORIGIN,
    LOG_KEY: ofLog.secret,
    LOG_WITNESSES: witnessLine(),
  };
  await makeDatabases();
}, 240_000);
afterAll(async () => {
  await witness.stop();
  await brokerAdmin.close();
  await broker.remove();
  await postgres.remove();
  await rm(folder, { recursive: true });
});

it('recovers money, events, log and tokens as of the chosen point', async () => {
  await within<Wallet, unknown>('wallet', (db) =>
    credit(db, {
      idempotencyKey: 'topup:drill',
      userId: payer,
      amountPaise: 50_000,
      description: 'Top-up',
      reference: 'drill',
    }),
  );
  await pay();
  const [early = ''] = await seal(3);
  await postgres.backUp();

  await pay();
  const [kept = ''] = await seal(1);
  await withAuth(['kept']);
  await postgres.markPoint('drill');

  // The time that the recovery undoes: money moves, the witness sees two more entries, an earlier event is
  // applied, and an event is new.
  await pay();
  const [lost = ''] = await seal(2);
  const [ofEarly, ofLost] = [await proofOf(early), await proofOf(lost)];
  expect(await applyUntil('kept')).toEqual(['kept']);
  await withAuth(['lost']);
  const staysUp = await startSigner();
  await postgres.recoverTo('drill');

  // A process that runs despite the runbook does not sign a second tree of a size that the witness knows.
  await within<Database, unknown>('documents', (db) => sealDocuments(db, 1));
  await until('the log is halted', async () => HALTED.test(await registry.metrics()));
  expect(await size()).toBe(4);
  await staysUp.stop();

  const open = createDb<unknown>({ url: databaseOf(env, 'documents').url, applicationName: 'documents' });
  // A connection in use: the pool closes one that was idle for a while, and the command takes long on a busy machine.
  await open.connection().execute(async () =>
    expect(await karaar(['recover'], env)).toMatchObject({
      code: 1,
      text: expect.stringContaining('Still connected: documents') as string,
    }),
  );
  await open.destroy();
  const before = await within('auth', (db: Db<unknown>) => sql`select kid from signing_keys`.execute(db));
  const recovered = await karaar(['recover'], env);
  expect(recovered).toMatchObject({
    code: 0,
    text: expect.stringContaining('streams are empty (2 events') as string,
  });
  const after = await within('auth', (db: Db<unknown>) => sql`select kid from signing_keys`.execute(db));
  expect(after.rows).toHaveLength(1);
  expect(before.rows).not.toContainEqual(after.rows[0]);

  // Events that were applied in the undone time are applied again; events that were published in it are lost.
  await withAuth(['new'], async () => {
    expect(await applyUntil('new')).toEqual(['kept', 'new']);
  });

  expect(await size()).toBe(4);
  await within<Database, unknown>('documents', async (db) => {
    await expect(lookAtWitness(db, parseWitness(witnessLine()))).rejects.toThrow(
      `has cosigned 7 entries, and this log has 4`,
    );
  });
  const restarted = await karaar(['restart-log', '--origin', NEXT], env);
  expect(restarted).toMatchObject({
    code: 0,
    text: expect.stringContaining('witness witness.test/drill 7') as string,
  });
  expect(await size()).toBe(5);

  await witness.stop();
  witness = await witnessProcess(NEXT, 'witness-2');
  await seal(1, NEXT);
  const trusted = (await proofOf(kept, NEXT)).keys;
  for (const proof of [await proofOf(early, NEXT), await proofOf(kept, NEXT)]) {
    expect(proof.checkpoint.split('\n')[0]).toBe(NEXT);
    expect(holds(proof)).toBe(true);
  }
  // Proofs from before the recovery point, and of entries that the log has lost and the witness had seen.
  expect([holds(ofEarly), holds(ofEarly, trusted), holds(ofLost, trusted)]).toEqual([true, true, true]);
  expect(holds(ofEarly, { ...trusted, restarts: [] })).toBe(false);

  const checked = await karaar(['check'], env);
  expect(checked.text).toContain('2 payments and 2 debits, 0 faults');
  expect(checked.text).toContain('7 of 7 entries');
  expect(checked).toMatchObject({ code: 0 });
  const again = { ...env, LOG_ORIGIN: NEXT, LOG_WITNESSES: witnessLine() };
  expect((await karaar(['restart-log', '--origin', 'drill.test/log/3'], again)).text).toContain(
    'it needs no restart',
  );
});
