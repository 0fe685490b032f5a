/**
 * A person's device reads the public log and detects an insider who has the database and the log's key
 * (docs/adr/0082).
 */
import { generateKeyPairSync } from 'node:crypto';
import { jest } from '@jest/globals';
import type { ConsistencyProof } from '@karaar/contracts/documents/log';
import { createDb, inTransaction, uuidv7, type Db } from '@karaar/db';
import { fromBase64 } from '@karaar/proof/bytes';
import { keyHash, taggedKeyEntry, userTag } from '@karaar/proof/approval/key-entry';
import { keyFindings } from '@karaar/proof/approval/key-findings';
import { lookAtLog, type LogMemory, type LogSource } from '@karaar/proof/approval/key-watch';
import { EMPTY_ROOT } from '@karaar/proof/log/merkle';
import { Authenticator } from '@karaar/proof/testing/authenticator';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import type { Database } from '../../src/db/schema.ts';
import { openLogIdentity } from '../../src/features/transparency-log/log-identity.ts';
import { lockLog, readEntries } from '../../src/features/transparency-log/log.repository.ts';
import { extend } from '../../src/features/transparency-log/sequence.ts';
import { verifiedSigners } from '../../src/features/transparency-log/signed-approvals.ts';
import { startApi, type Api } from '../api.ts';
import { answer, approve, enrol, KEYS, list, SITE, state, stated } from './signing.ts';

jest.setTimeout(120_000);

const LOG = {
  LOG_ORIGIN: 'karaar.test/log',
  LOG_KEY: generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64'),
};
let api: Api;
let owner: WorldUser;
/** The database with its owner's permissions. */
let insider: Db<Database>;

beforeAll(async () => {
  api = await startApi('documents-key-watch', LOG);
  insider = createDb<Database>({ url: api.world.ownerUrl, max: 2, applicationName: 'insider' });
});
beforeEach(async () => {
  owner = await api.world.addUser('Asha Rao');
});
afterAll(async () => {
  await insider.destroy();
  await api.stop();
});

async function served(path: string): Promise<Response> {
  const response = await fetch(`${api.url}/log/${path}`);
  if (!response.ok) throw new Error(`${path} answers ${response.status}`);
  return response;
}
const source: LogSource = {
  keys: async () => (await served('keys')).json() as ReturnType<LogSource['keys']>,
  checkpoint: async () => (await served('checkpoint')).text(),
  bundle: async (path) => new Uint8Array(await (await served(`tile/${path}`)).arrayBuffer()),
  consistency: async (first, second) => {
    const body = await (await served(`consistency?first=${first}&second=${second}`)).json();
    return (body as ConsistencyProof).hashes.map(fromBase64);
  },
};
const look = (memory?: LogMemory) => lookAtLog(source, userTag(owner.userId), memory);
const findings = async (known: readonly string[], memory?: LogMemory) => {
  const listed = await list(api, owner);
  const seen = await look(memory);
  expect(seen.fault).toBeUndefined();
  return keyFindings(seen.memory.changes, new Set(known), listed, true);
};

const keyRow = (device: Authenticator, userId: string) => ({
  id: uuidv7(),
  user_id: userId,
  name: 'Phone',
  credential_id: device.credentialId,
  public_key: Buffer.from(device.publicKey),
  counter: 0,
  transports: ['internal'],
  synced: false,
  photo_sha256: 'a'.repeat(64),
});
async function plant(device: Authenticator, entry: 'none' | { entry_index: number | null }) {
  const row = keyRow(device, owner.userId);
  await insider.insertInto('signing_keys').values(row).execute();
  if (entry === 'none') return row.id;
  await insider
    .insertInto('signing_key_entries')
    .values({
      id: uuidv7(),
      key_id: row.id,
      action: 'added',
      user_tag: userTag(owner.userId),
      key_sha256: keyHash(device.publicKey),
      at: new Date().toISOString(),
      ...entry,
    })
    .execute();
  return row.id;
}

it('knows its own key, and detects a key that an insider has added to the list and the log', async () => {
  const { device, keyId } = await enrol(api, owner);
  const own = keyHash(device.publicKey);
  expect((await list(api, owner)).map(({ sha256 }) => sha256)).toEqual([own]);
  expect(await findings([own])).toEqual([]);
  // Another device of the same person does not know the key.
  expect(await findings([])).toMatchObject([{ kind: 'unknown', keySha256: own }]);

  const { memory } = await look();
  const thief = new Authenticator();
  const planted = await plant(thief, { entry_index: null });
  await until('the key is logged', async () =>
    (await list(api, owner)).some(({ _id, logged }) => _id === planted && logged),
  );
  const unknown = { kind: 'unknown', keySha256: keyHash(thief.publicKey), at: expect.any(String) };
  expect(await findings([own], memory)).toEqual([unknown]);
  // The finding stays when the list hides the key, and after its removal.
  await insider.deleteFrom('signing_keys').where('id', '=', planted).execute();
  expect(await findings([own], memory)).toEqual([unknown]);

  await api.call(owner, 'DELETE', `${KEYS}/${keyId}`);
  await until('the removal is logged', async () => (await look(memory)).memory.changes.length === 3);
  expect(await findings([own, keyHash(thief.publicKey)], memory)).toMatchObject([{ kind: 'unlisted' }]);
});

it('refuses to sign with a key that is not in the log, and to seal one with an invented place', async () => {
  const thief = new Authenticator();
  const { id, code } = await api.create(owner);
  const unlogged = await plant(thief, 'none');
  expect((await state(api, owner, id, unlogged)).body['code']).toBe('signing_key_not_logged');
  expect((await list(api, owner)).map(({ logged }) => logged)).toEqual([false]);

  const forger = new Authenticator();
  const placed = await plant(forger, { entry_index: 1_000_000 });
  const signed = answer(forger, await stated(api, owner, id, placed));
  expect((await approve(api, owner, id, signed)).status).toBe(200);
  const db = api.service.foundation.db;
  const config = { PUBLIC_URL: SITE.origin };
  await expect(verifiedSigners({ db, config }, { id, document_code: code })).rejects.toThrow(RangeError);
  expect(await findings([])).toEqual([{ kind: 'unlogged', keySha256: keyHash(forger.publicKey) }]);
});

describe('a rewritten log', () => {
  /** Rebuilds the log from changed entries, signed by the log's own key. */
  const rewrite = (change: (entries: Uint8Array[]) => Uint8Array[]) =>
    inTransaction(insider, async (tx) => {
      await lockLog(tx);
      const { rows } = await sql<{ count: number }>`SELECT count(*)::int FROM log_entries`.execute(tx);
      const entries = change(await readEntries(tx, 0, rows[0]?.count ?? 0));
      for (const table of ['log_entries', 'log_tiles', 'log_checkpoints']) {
        await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(tx);
        await sql`DELETE FROM ${sql.table(table)}`.execute(tx);
      }
      const identity = openLogIdentity({
        origin: LOG.LOG_ORIGIN,
        secret: LOG.LOG_KEY,
        stateDir: api.world.folder,
      });
      await extend(tx, { size: 0, root: EMPTY_ROOT }, entries, identity);
    });

  it('is detected by a device that has seen the log before, and by a new device if hashes do not match', async () => {
    const { device } = await enrol(api, owner);
    const { memory, fault } = await look();
    expect(fault).toBeUndefined();
    const forged = taggedKeyEntry({
      action: 'added',
      tag: userTag(owner.userId),
      keySha256: keyHash(new Authenticator().publicKey),
      at: new Date().toISOString(),
    });
    const honest: Uint8Array[] = [];
    await rewrite((entries) => {
      honest.push(...entries);
      return [...entries.slice(0, -1), forged];
    });
    expect((await look(memory)).fault).toBe('rewritten');
    await rewrite(() => [...honest.slice(1), forged, forged]);
    expect((await look(memory)).fault).toBe('rewritten');
    await rewrite(() => honest.slice(1));
    expect((await look(memory)).fault).toBe('shorter');
    await rewrite(() => [...honest, forged]);
    const seen = await look(memory);
    expect([seen.fault, seen.memory.changes.length]).toEqual([undefined, 2]);
    expect(seen.memory.changes[0]?.keySha256).toBe(keyHash(device.publicKey));

    // An entry is rewritten below unchanged hashes: this device has read the original, another one reads the
    // new entry.
    await sql`UPDATE log_entries SET data = ${Buffer.from('another')} WHERE index = 0`.execute(insider);
    expect((await look()).fault).toBe('rewritten');
  });
});
