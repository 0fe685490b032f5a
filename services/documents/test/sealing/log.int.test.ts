import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { LAW } from '@karaar/contracts/cms/law';
import type { ConsistencyProof, InclusionProof, LogProof } from '@karaar/contracts/documents/log';
import { inTransaction } from '@karaar/db';
import { fromBase64 } from '@karaar/proof/bytes';
import { checkDocumentProof } from '@karaar/proof/document-proof';
import { leafHash, verifyConsistency, verifyInclusion } from '@karaar/proof/log/merkle';
import {
  ALGORITHM,
  formatKey,
  noteKey,
  parseCheckpoint,
  parseKey,
  parseNote,
  verifyCosignature,
  verifyNote,
  type Algorithm,
} from '@karaar/proof/log/note';
import { parsePolicy } from '@karaar/proof/log/policy';
import { decodeBundle, splitHashes } from '@karaar/proof/log/tiles';
import { freePort } from '@karaar/testing/processes/ports';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { startWitness, type WitnessProcess } from '@karaar/testing/servers/witness-process';
import { queueCommitment } from '../../src/features/transparency-log/log.repository.ts';
import { startApi, type Api } from '../api.ts';

jest.setTimeout(60_000);

const ORIGIN = 'karaar.test/log';
const WITNESS = 'witness.test/one';
const secret = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const [logSecret, witnessSecret] = [secret(), secret()];
const publicKey = (name: string, algorithm: Algorithm, pkcs8: string): string => {
  const key = createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return formatKey(noteKey(name, algorithm, new Uint8Array(der.subarray(-32))));
};
const logKeyText = publicKey(ORIGIN, ALGORITHM.ed25519, logSecret);
const witnessKey = parseKey(publicKey(WITNESS, ALGORITHM.cosignatureV1, witnessSecret));

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;
let witness: WitnessProcess;
let witnessUrl: string;

beforeAll(async () => {
  const port = await freePort();
  witnessUrl = `http://127.0.0.1:${port}`;
  api = await startApi('documents-log-api', {
    LOG_ORIGIN: ORIGIN,
    LOG_KEY: logSecret,
    LOG_WITNESSES: `${formatKey(witnessKey)} ${witnessUrl}`,
  });
  witness = await startWitness({
    name: WITNESS,
    secret: witnessSecret,
    logKey: logKeyText,
    folder: `${api.world.folder}/witness`,
    port,
    audit: { url: `${api.url}/log`, everyS: 1 },
  });
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  stranger = await api.world.addUser('Meera Nair');
}, 120_000);

afterAll(async () => {
  await witness.stop();
  await api.stop();
});

const isLogged = async (id: string): Promise<boolean> =>
  (await api.call(owner, 'GET', `/documents/${id}`)).body['blockchain'] === true;

/**
 * Creates the state after a finalization without rendering a PDF; by default waits for the log entry and the
 * witness.
 */
async function sealedDocument(sha256 = randomBytes(32).toString('hex'), awaited = true): Promise<string> {
  const { id } = await api.create(owner);
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
  const { db } = api.service.foundation;
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('documents')
      .set({ status: 'finalized', final_path: 'none' })
      .where('id', '=', id)
      .execute();
    await tx
      .insertInto('finalization_jobs')
      .values({
        document_id: id,
        state: 'done',
        attempts: 1,
        detail: null,
        requested_by: owner.userId,
        law: JSON.stringify(LAW),
      })
      .execute();
    await queueCommitment(tx, {
      documentId: id,
      sha256,
      sealedAt: '2026-11-21T06:00:00.000Z',
      salt: randomBytes(32),
    });
  });
  if (awaited) await until('the document is logged', () => isLogged(id));
  return id;
}

const checkpoint = async (path = '') => {
  const response = await fetch(`${api.url}/log/checkpoint${path}`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  const note = parseNote(await response.text());
  return { note, ...parseCheckpoint(note.body) };
};
async function cosigned(): Promise<number> {
  let time: number | undefined;
  await until('the newest checkpoint is cosigned', async () => {
    time = verifyCosignature((await checkpoint()).note, witnessKey);
    return time !== undefined;
  });
  return time ?? 0;
}
const json = async <T>(path: string): Promise<T> => (await fetch(`${api.url}${path}`)).json() as Promise<T>;

describe('the log over HTTP', () => {
  it('[FINAL-032] publishes a checkpoint signed by the log and cosigned by the witness', async () => {
    await sealedDocument();
    const time = await cosigned();
    expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
    const { note, origin } = await checkpoint();
    expect(origin).toBe(ORIGIN);
    const keys = await json<{ log: string; witnesses: string[] }>('/log/keys');
    expect(verifyNote(note, parseKey(keys.log))).toBe(true);
    expect(verifyCosignature(note, parseKey(keys.witnesses[0] ?? ''))).toBe(time);
  });

  it('[FINAL-032] serves matching tiles and entry bundles, and 404 outside the tree', async () => {
    await sealedDocument();
    const { size } = await checkpoint();
    const bytes = async (path: string) => {
      const response = await fetch(`${api.url}/log/tile/${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toContain('immutable');
      return new Uint8Array(await response.arrayBuffer());
    };
    const tile = splitHashes(await bytes(`0/000.p/${size}`));
    expect(decodeBundle(await bytes(`entries/000.p/${size}`)).map(leafHash)).toEqual(tile);
    for (const path of [`0/000.p/${size + 1}`, '0/001', '1/000.p/1', 'entries/001', '0/0', 'x', '9/000']) {
      expect({ path, status: (await fetch(`${api.url}/log/tile/${path}`)).status }).toEqual({
        path,
        status: 404,
      });
    }
  });

  it('[FINAL-030] [FINAL-031] returns valid proofs of inclusion and consistency', async () => {
    await sealedDocument();
    const older = await checkpoint();
    await sealedDocument();
    const newer = await checkpoint();
    const consistency = await json<ConsistencyProof>(
      `/log/consistency?first=${older.size}&second=${newer.size}`,
    );
    const claim = {
      size1: older.size,
      size2: newer.size,
      root1: older.root,
      root2: newer.root,
      proof: consistency.hashes.map(fromBase64),
    };
    expect(verifyConsistency(claim)).toBe(true);
    const index = newer.size - 1;
    const inclusion = await json<InclusionProof>(`/log/inclusion?index=${index}&size=${newer.size}`);
    expect(
      verifyInclusion({
        index,
        size: newer.size,
        root: newer.root,
        leaf: fromBase64(inclusion.leaf_hash),
        proof: inclusion.hashes.map(fromBase64),
      }),
    ).toBe(true);
    for (const query of [
      'inclusion?index=9999&size=1',
      'inclusion?index=0&size=9999',
      'consistency?first=2&second=1',
      'consistency?first=-1&second=1',
      'inclusion',
    ]) {
      expect({ query, status: (await fetch(`${api.url}/log/${query}`)).status }).toEqual({
        query,
        status: 422,
      });
    }
  });

  it('[FINAL-030] returns a proof file that is valid for its PDF under the published policy, and invalid for other files', async () => {
    const sha256 = randomBytes(32);
    const id = await sealedDocument(sha256.toString('hex'));
    const policy = parsePolicy(await (await fetch(`${api.url}/log/policy`)).text());
    const proof = await fetch(`${api.url}/documents/${id}/tlog-proof`, { headers: owner.headers });
    const text = await proof.text();
    expect(checkDocumentProof(text, sha256, policy)).toMatchObject({
      ok: true,
      origin: ORIGIN,
      cosigned: [{ name: WITNESS }],
    });
    expect(checkDocumentProof(text, randomBytes(32), policy).ok).toBe(false);
    const withoutWitness = text.replace(new RegExp(`— ${WITNESS} .*\n`), '');
    expect(checkDocumentProof(withoutWitness, sha256, policy).ok).toBe(false);
  });

  it('[FINAL-030] returns the proof of a document to its parties only', async () => {
    const id = await sealedDocument();
    await cosigned();
    for (const user of [owner, guest]) {
      const { status, body } = await api.call(user, 'GET', `/documents/${id}/log-proof`);
      expect(status).toBe(200);
      expect(verifyCosignature(parseNote((body as LogProof).checkpoint), witnessKey)).toBeDefined();
    }
    expect((await api.call(stranger, 'GET', `/documents/${id}/log-proof`)).status).toBe(403);
    expect((await api.call(undefined, 'GET', `/documents/${id}/log-proof`)).status).toBe(401);
    const admin = await fetch(`${api.url}/documents/${id}/log-proof`, {
      headers: await api.world.adminHeaders(),
    });
    expect(admin.status).toBe(403);
    const unknown = '0199aaaa-0000-7000-8000-000000000000';
    expect((await api.call(owner, 'GET', `/documents/${unknown}/log-proof`)).status).toBe(404);
    const file = async (headers: Record<string, string>, of = id) =>
      fetch(`${api.url}/documents/${of}/tlog-proof`, { headers });
    const theirs = await file(guest.headers);
    expect(theirs.status).toBe(200);
    expect(theirs.headers.get('content-disposition')).toMatch(/^attachment; filename="\w{8}.tlog-proof"/);
    expect((await file(stranger.headers)).status).toBe(403);
    expect((await file({})).status).toBe(401);
    expect((await file(await api.world.adminHeaders())).status).toBe(403);
    expect((await file(owner.headers, unknown)).status).toBe(404);
    // The same users can get the receipt.
    const receipt = async (headers: Record<string, string>, of = id) =>
      fetch(`${api.url}/documents/${of}/receipt`, { headers });
    const own = await receipt(guest.headers);
    expect(own.status).toBe(200);
    expect(own.headers.get('content-disposition')).toMatch(/^attachment; filename="\w{8}-receipt.html"/);
    expect(await own.text()).toContain("default-src 'none'");
    expect((await receipt(stranger.headers)).status).toBe(403);
    expect((await receipt({})).status).toBe(401);
    expect((await receipt(await api.world.adminHeaders())).status).toBe(403);
    expect((await receipt(owner.headers, unknown)).status).toBe(404);
    const { id: open } = await api.create(owner);
    expect((await receipt(owner.headers, open)).status).toBe(409);
    expect((await api.call(owner, 'GET', `/documents/${open}/log-proof`)).status).toBe(409);
    expect((await file(owner.headers, open)).status).toBe(409);
  });
});

describe('the witness', () => {
  it('detects a rewritten entry, and cosigns nothing until the entry is restored', async () => {
    await sealedDocument();
    await cosigned();
    const status = () =>
      statusOf<{ fault: string | null; faults: { what: string }[] }>(`${witnessUrl}/status`);
    await until('the audit is clean', async () => (await status()).fault === null);
    const { db } = api.service.foundation;
    const swap = (data: Buffer) =>
      api.world.asOwner(`UPDATE log_entries SET data = '\\x${data.toString('hex')}' WHERE index = 0`);
    const { data } = await db
      .selectFrom('log_entries')
      .select('data')
      .where('index', '=', 0)
      .executeTakeFirstOrThrow();
    await api.world.asOwner('ALTER TABLE log_entries DISABLE TRIGGER USER');
    await swap(Buffer.from('karaar/final/v1\nrewritten\n'));
    await until('the witness has found it', async () =>
      /entry 0 .* rewritten/.test((await status()).fault ?? ''),
    );

    const before = await checkpoint();
    const waiting = await sealedDocument(undefined, false);
    await until('the log has grown', async () => (await checkpoint('/newest')).size > before.size);
    expect(verifyCosignature((await checkpoint('/newest')).note, witnessKey)).toBeUndefined();
    // Only cosigned entries are shown as confirmed.
    expect((await checkpoint()).size).toBe(before.size);
    expect(await isLogged(waiting)).toBe(false);

    await swap(data);
    await api.world.asOwner('ALTER TABLE log_entries ENABLE TRIGGER USER');
    await until('the audit is clean again', async () => (await status()).fault === null);
    expect((await status()).faults.map((fault) => fault.what).join()).toContain('rewritten');
    await until('the waiting document is logged', () => isLogged(waiting));
    expect(leafHash(data)).toHaveLength(32);
  });
});

const statusOf = async <T>(url: string): Promise<T> => (await fetch(url)).json() as Promise<T>;
