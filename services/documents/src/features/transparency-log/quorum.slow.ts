/** A log with three witness processes, of which two must cosign. One is killed, one lies. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { registry } from '@karaar/observability/telemetry';
import type { Worker } from '@karaar/base/worker';
import { fromHex, toBase64 } from '@karaar/proof/bytes';
import { checkDocumentProof, documentProof } from '@karaar/proof/document-proof';
import { mlDsaCosigner, verifyAnyCosignature } from '@karaar/proof/log/ml-dsa';
import {
  ALGORITHM,
  formatKey,
  noteKey,
  parseCheckpoint,
  parseNote,
  type Algorithm,
} from '@karaar/proof/log/note';
import { checkCheckpoint, parsePolicy, type Policy } from '@karaar/proof/log/policy';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { freePort } from '@karaar/testing/processes/ports';
import { until as untilIn } from '@karaar/testing/until';
import { startWitness, type WitnessProcess } from '@karaar/testing/servers/witness-process';
import type { Context } from '../../context.ts';
import { openLogIdentity, parseWitness, quorumOf } from './log-identity.ts';
import { presentPlace } from './log.presenter.ts';
import { findCommitment } from './log.repository.ts';
import { checkpointText, newestCheckpointText, policyText } from './log.service.ts';
import { startLogWorker } from './log.worker.ts';
import { confirmedPlaceOf } from './place.ts';
import { logContext, prepare, sealDocuments } from './testing/log-database.ts';

jest.setTimeout(300_000);

/** A witness that was down is asked again within ten seconds, or later under load. */
const until = (what: string, check: () => unknown) => untilIn(what, check, 90_000);

const ORIGIN = 'karaar.test/three';
const secret = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const publicKey = (name: string, algorithm: Algorithm, pkcs8: string) => {
  const key = createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return noteKey(name, algorithm, new Uint8Array(der.subarray(-32)));
};

const logSecret = secret();
const NAMES = ['w1.test/w', 'w2.test/w', 'w3.test/w'] as const;
type Name = (typeof NAMES)[number];
const [W1, W2, W3] = NAMES;
const seeds = new Map(NAMES.map((name) => [name, randomBytes(32)]));
const secrets = new Map(NAMES.map((name) => [name, secret()]));

let database: TestDatabase;
let ctx: Context;
let worker: Worker;
let folder: string;
let policy: Policy;
const ports = new Map<Name, number>();
const running = new Map<Name, WitnessProcess>();

async function start(name: Name, state = name.replace('/', '-')): Promise<void> {
  const process = await startWitness({
    name,
    secret: secrets.get(name) ?? '',
    mlDsaSeed: toBase64(seeds.get(name) ?? new Uint8Array()),
    logKey: formatKey(publicKey(ORIGIN, ALGORITHM.ed25519, logSecret)),
    folder: join(folder, state),
    port: ports.get(name) ?? 0,
  });
  running.set(name, process);
}
async function end(name: Name, signal?: NodeJS.Signals): Promise<void> {
  await running.get(name)?.stop(signal);
  running.delete(name);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-quorum-'));
  for (const name of NAMES) ports.set(name, await freePort());
  const witnesses = NAMES.map((name) => {
    const ed25519 = formatKey(publicKey(name, ALGORITHM.cosignatureV1, secrets.get(name) ?? ''));
    const mlDsa = formatKey(mlDsaCosigner(name, seeds.get(name) ?? new Uint8Array()).key);
    return parseWitness(`${ed25519} ${mlDsa} http://127.0.0.1:${ports.get(name)}`);
  });
  database = await testPostgres('log-quorum');
  // Two witnesses are enough to start the log: the third has never answered.
  await start(W1);
  await start(W2);
  ctx = logContext(await prepare(database.url), {
    identity: openLogIdentity({ origin: ORIGIN, secret: logSecret, stateDir: '' }),
    witnesses,
    quorum: quorumOf(witnesses),
  });
  worker = startLogWorker(ctx);
  policy = parsePolicy(policyText(ctx));
}, 300_000);
afterAll(async () => {
  await worker.stop();
  for (const name of running.keys()) await end(name);
  await ctx.db.destroy();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function seal(): Promise<string> {
  const [id = ''] = await sealDocuments(ctx.db, 1);
  return id;
}
/** The condition for `blockchain: true`. */
const isLogged = async (documentId: string): Promise<boolean> =>
  Boolean((await findCommitment(ctx.db, { documentId }))?.confirmed_at);
const logged = (documentId: string) => until('the document is logged', () => isLogged(documentId));
const sizeOf = (checkpoint: string): number => parseCheckpoint(parseNote(checkpoint).body).size;
/** Returns the checked proof file; undefined if the route would answer 409. */
async function proofOf(documentId: string, of = policy) {
  const commitment = await findCommitment(ctx.db, { documentId });
  const place = commitment && (await confirmedPlaceOf(ctx, commitment));
  if (!place) return undefined;
  const text = documentProof(presentPlace(place));
  return checkDocumentProof(text, fromHex(commitment.sha256), of, verifyAnyCosignature);
}
const cosigners = (checkpoint: string): string[] =>
  checkCheckpoint(checkpoint, policy, verifyAnyCosignature).cosigned.map(({ name }) => name);

it('publishes its policy: two of three witnesses, each with an Ed25519 and an ML-DSA-44 key', () => {
  expect(policy.witnesses.size).toBe(6);
  expect(policy.groups.get('witnesses')).toEqual({ threshold: 2, members: [...NAMES] });
});

it('confirms with two witnesses, also for a verifier that requires both kinds of signature', async () => {
  const document = await seal();
  await logged(document);
  expect(await proofOf(document)).toMatchObject({ ok: true, origin: ORIGIN });
  const strict = parsePolicy(policyText(ctx).replaceAll(' any ', ' all '));
  expect(await proofOf(document, strict)).toMatchObject({ ok: true });
});

it('continues when a witness is killed and the third takes its place', async () => {
  await start(W3);
  await until('the third cosigns', async () =>
    cosigners(await checkpointText(ctx)).includes(`${W3}:ed25519`),
  );
  await end(W1, 'SIGKILL');
  const document = await seal();
  await logged(document);
  expect(cosigners(await checkpointText(ctx)).filter((name) => name.startsWith(W1))).toEqual([]);
  expect(await proofOf(document)).toMatchObject({ ok: true });
});

it('confirms nothing with an honest and a lying witness, and continues when the killed one is back', async () => {
  await end(W3);
  // It claims, with its own key, to know a longer log.
  const lie = join(folder, 'lie');
  await mkdir(lie);
  const cosigned = { size: 9_999, root: toBase64(new Uint8Array(32)) };
  await writeFile(join(lie, 'witness.json'), JSON.stringify({ cosigned, faults: [] }));
  await start(W3, 'lie');
  const before = sizeOf(await checkpointText(ctx));
  const document = await seal();
  await until('the honest one has cosigned the grown log', async () => {
    const newest = await newestCheckpointText(ctx);
    return sizeOf(newest) > before && cosigners(newest).includes(`${W2}:ml-dsa-44`);
  });
  await until('the lie is noticed', async () =>
    /^transparency_log_witness_refusing\{[^}]*w3\.test[^}]*\} 1$/m.test(await registry.metrics()),
  );
  expect(sizeOf(await checkpointText(ctx))).toBe(before);
  expect(await isLogged(document)).toBe(false);
  expect(await proofOf(document)).toBeUndefined();

  await start(W1);
  await logged(document);
  expect(await proofOf(document)).toMatchObject({ ok: true });
  expect(cosigners(await checkpointText(ctx)).filter((name) => name.startsWith(W3))).toEqual([]);
});

it('does not count a witness that signs with another key', async () => {
  await end(W3);
  const own = secrets.get(W3) ?? '';
  secrets.set(W3, secret());
  await start(W3, 'another-key');
  await end(W1, 'SIGKILL');
  const before = sizeOf(await checkpointText(ctx));
  const document = await seal();
  await until('the honest one has cosigned the grown log', async () => {
    const newest = await newestCheckpointText(ctx);
    return sizeOf(newest) > before && cosigners(newest).includes(`${W2}:ed25519`);
  });
  const answered = async () =>
    (
      (await (await fetch(`http://127.0.0.1:${ports.get(W3)}/status`)).json()) as {
        cosigned: { size: number } | null;
      }
    ).cosigned?.size ?? 0;
  await until('the other one has answered', async () => (await answered()) > before);
  expect(await isLogged(document)).toBe(false);
  secrets.set(W3, own);
  await start(W1);
  await logged(document);
});
