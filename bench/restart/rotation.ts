/** The keys of tokens, files and the seal are replaced as docs/operations.md says, while everything goes on. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '@karaar/dev/processes/services';
import { startCa } from '@karaar/sealing/testing/openssl-ca';
import { signIn, type Payer } from '../faults/people.ts';
import type { Cluster } from './cluster.ts';
import { Seals } from './seals.ts';

/** Those that sign tokens, keep files or look at tokens; the order of a deployment is anybody's. */
const TOKENS: readonly ProcessName[] = ['auth', 'gateway'];
const FILES: readonly ProcessName[] = ['auth', 'documents', 'messaging'];
/** After so long the new key signs (docs/operations.md). */
const SIGNS_AFTER_MS = 11_000;

export type Rotated = {
  /** The tool's lines. */
  said: string[];
  /** What should hold and does not. */
  faults: string[];
};

/** The id of the key that signed a user's token. */
function keyOf({ headers }: Payer): string {
  const [header = ''] = (headers['authorization'] ?? '').slice('Bearer '.length).split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid;
}

type Tools = {
  cluster: Cluster;
  /** Runs the operator's tool. */
  run: (args: readonly string[], env?: Record<string, string>) => Promise<string>;
  roll: (names: readonly ProcessName[], why: string) => Promise<void>;
  fault: (what: string) => void;
};

/**
 * @param before a user whose token was signed before
 * @param other with whom that person agrees on what is sealed
 */
export async function rotate(
  cluster: Cluster,
  { before, other, phone }: { before: Payer; other: Payer; phone: string },
  log: (line: string) => void,
): Promise<Rotated> {
  const said: string[] = [];
  const faults: string[] = [];
  const tools: Tools = {
    cluster,
    run: async (args, env) => {
      const text = await cluster.karaar(args, env);
      said.push(text);
      log(text);
      return text;
    },
    roll: async (names, why) => {
      for (const name of names) {
        log(`replacing ${name}: ${why}`);
        await cluster.roll(name);
      }
    },
    fault: (what) => void faults.push(what),
  };
  await rotateTokens(tools, before, phone);
  await rotateFiles(tools);
  await rotateSeal(tools, new Seals(cluster.url, before, other), log);
  const { status } = await before.call('GET', '/users/profile');
  if (status !== 200) tools.fault(`the old token is answered ${status} in the end`);
  return { said, faults };
}

async function rotateTokens(
  { cluster, run, roll, fault }: Tools,
  before: Payer,
  phone: string,
): Promise<void> {
  await run(['rotate-keys']);
  await roll(TOKENS, 'a new key for tokens');
  await sleep(SIGNS_AFTER_MS);
  const after = await signIn(cluster.url, phone);
  if (keyOf(after) === keyOf(before)) fault('the new key does not sign tokens');
  for (const [who, whose] of [
    [before, 'of the key before'],
    [after, 'of the new key'],
  ] as const) {
    const { status } = await who.call('GET', '/users/profile');
    if (status !== 200) fault(`a token ${whose} is answered ${status}`);
  }
}

async function rotateFiles({ cluster, run, roll }: Tools): Promise<void> {
  const keys = FILES.map((part) => ({
    part,
    old: cluster.blobKek(part),
    young: `bench${Date.now()}:${randomBytes(32).toString('base64')}`,
  }));
  const give = (ring: (key: { old: string; young: string }) => string): void => {
    for (const key of keys) cluster.configure({ BLOB_KEK: ring(key) }, key.part);
  };
  give(({ old, young }) => `${old},${young}`);
  await roll(FILES, 'a further key for files is known');
  give(({ old, young }) => `${young},${old}`);
  await roll(FILES, 'it is the first');
  await run(
    ['rotate-blob-keys'],
    Object.fromEntries(
      keys.map(({ part, old, young }) => [`${part.toUpperCase()}_BLOB_KEK`, `${young},${old}`]),
    ),
  );
  give(({ young }) => young);
  await roll(FILES, 'the old key for files is gone');
}

/** Documents are sealed and verified all the while, by processes that have the one key and by those that have the other. */
async function rotateSeal(
  { cluster, run, roll, fault }: Tools,
  seals: Seals,
  log: (line: string) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-bench-seal-'));
  const ca = await startCa(folder);
  try {
    const { signer: old } = await seals.seal();
    seals.goOn();
    const password = randomBytes(12).toString('hex');
    await ca.issue(folder, 'young seal', ['keyUsage=critical,digitalSignature,nonRepudiation']);
    const p12 = await ca.p12(folder, 'young seal', password);
    await run(['rotate-seal', '--p12', join(folder, 'young seal.p12')], { SEAL_P12_PASSWORD: password });
    cluster.configure({ SEAL_P12: p12.toString('base64'), SEAL_P12_PASSWORD: password });
    await roll(['documents'], 'a new key for the seal');
    await seals.stop();
    const last = await seals.seal();
    if (last.signer !== 'Test young seal') fault(`after the rotation ${last.signer} seals`);
    for (const { pdf, signer } of seals.made)
      if ((await seals.signerOf(pdf)) !== signer)
        fault(`what ${signer} sealed is told to be somebody else's`);
    if (seals.made.every(({ signer }) => signer !== old)) fault('nothing was sealed by the old key');
    seals.faults.forEach(fault);
    const young = seals.made.filter(({ signer }) => signer !== old).length;
    log(
      `${seals.made.length - young} sealed by ${old}, ${young} by ${last.signer}; verified ${seals.verified} times`,
    );
  } finally {
    await seals.stop();
    ca.close();
    await rm(folder, { recursive: true, force: true });
  }
}
