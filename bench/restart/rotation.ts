/** Replaces the keys of tokens, files and the seal as described in docs/operations.md. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '@karaar/dev/processes/services';
import { startCa } from '@karaar/sealing/testing/openssl-ca';
import { scratch } from '@karaar/testing/scratch';
import { DEMO, signIn, type Payer } from '../lib/people.ts';
import type { Cluster } from './cluster.ts';
import { Seals } from './seals.ts';

/** The parts that sign or verify tokens, and those that store files. */
const TOKENS: readonly ProcessName[] = ['auth', 'gateway'];
const FILES: readonly ProcessName[] = ['auth', 'documents', 'messaging'];
/** The time until the new key signs (docs/operations.md). */
const SIGNS_AFTER_MS = 11_000;

/** Returns the id of the key that signed a user's token. */
function keyOf({ headers }: Payer): string {
  const [header = ''] = headers.authorization.slice('Bearer '.length).split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid;
}

/** Rotates all keys; `before` has a token of the old one. @returns every fault */
export async function rotate(cluster: Cluster, before: Payer, other: Payer): Promise<string[]> {
  const faults: string[] = [];
  const run = async (args: readonly string[], env?: Record<string, string>): Promise<void> =>
    console.log(await cluster.karaar(args, env));
  const roll = async (names: readonly ProcessName[], why: string): Promise<void> => {
    for (const name of names) {
      console.log(`replacing ${name}: ${why}`);
      await cluster.roll(name);
    }
  };
  const expectToken = async (who: Payer, what: string): Promise<void> => {
    const { status } = await who.call('GET', '/users/profile');
    if (status !== 200) faults.push(`${what} is answered ${status}`);
  };

  await run(['rotate-keys']);
  await roll(TOKENS, 'a new key for tokens');
  await sleep(SIGNS_AFTER_MS);
  const after = await signIn(cluster.url, DEMO[0]);
  if (keyOf(after) === keyOf(before)) faults.push('the new key does not sign tokens');
  await expectToken(before, 'a token of the key before');
  await expectToken(after, 'a token of the new key');

  const keys = FILES.map((part) => {
    const [old, young] = [cluster.blobKek(part), `bench${Date.now()}:${randomBytes(32).toString('base64')}`];
    return { part, old, young, youngFirst: `${young},${old}` };
  });
  const give = (ring: (key: (typeof keys)[number]) => string): void => {
    for (const key of keys) cluster.configure({ BLOB_KEK: ring(key) }, key.part);
  };
  give(({ old, young }) => `${old},${young}`);
  await roll(FILES, 'a further key for files is known');
  give(({ youngFirst }) => youngFirst);
  await roll(FILES, 'it is the first');
  const rings = keys.map(({ part, youngFirst }) => [`${part.toUpperCase()}_BLOB_KEK`, youngFirst]);
  await run(['rotate-blob-keys'], Object.fromEntries(rings) as Record<string, string>);
  give(({ young }) => young);
  await roll(FILES, 'the old key for files is gone');

  // Meanwhile documents are sealed and verified by processes with the old and with the new key.
  const { dir: folder, remove } = scratch();
  const ca = await startCa(folder);
  const seals = new Seals(cluster.url, before, other);
  try {
    const { signer: old } = await seals.seal();
    seals.goOn();
    const SEAL_P12_PASSWORD = randomBytes(12).toString('hex');
    await ca.issue(folder, 'young seal', ['keyUsage=critical,digitalSignature,nonRepudiation']);
    const p12 = await ca.p12(folder, 'young seal', SEAL_P12_PASSWORD);
    await run(['rotate-seal', '--p12', join(folder, 'young seal.p12')], { SEAL_P12_PASSWORD });
    cluster.configure({ SEAL_P12: p12.toString('base64'), SEAL_P12_PASSWORD });
    await roll(['documents'], 'a new key for the seal');
    await seals.stop();
    const last = await seals.seal();
    if (last.signer !== 'Test young seal') faults.push(`after the rotation ${last.signer} seals`);
    for (const sealed of seals.made) await seals.check(sealed);
    if (seals.made.every(({ signer }) => signer !== old)) faults.push('the old key sealed no document');
    const young = seals.made.filter(({ signer }) => signer !== old).length;
    console.log(`${seals.made.length - young} sealed by ${old}, ${young} by ${last.signer}`);
  } finally {
    await seals.stop();
    ca.close();
    remove();
  }
  await expectToken(before, 'the old token, in the end,');
  return [...faults, ...seals.faults];
}
