/** The keys of tokens and files are replaced as docs/operations.md says, while everything goes on. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '@karaar/dev/services';
import { signIn, type Payer } from '../faults/people.ts';
import type { Cluster } from './cluster.ts';

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

/** Which key signed somebody's token. */
function keyOf({ headers }: Payer): string {
  const [header = ''] = (headers['authorization'] ?? '').slice('Bearer '.length).split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid;
}

/** @param before somebody whose token was signed before */
export async function rotate(
  cluster: Cluster,
  before: Payer,
  again: { phone: string },
  log: (line: string) => void,
): Promise<Rotated> {
  const said: string[] = [];
  const faults: string[] = [];
  const run = async (...args: string[]) => {
    const text = await cluster.karaar(args);
    said.push(text);
    log(text);
  };
  const roll = async (names: readonly ProcessName[], why: string) => {
    for (const name of names) {
      log(`replacing ${name}: ${why}`);
      await cluster.roll(name);
    }
  };

  await run('rotate-keys');
  await roll(TOKENS, 'a new key for tokens');
  await sleep(SIGNS_AFTER_MS);
  const after = await signIn(cluster.url, again.phone);
  if (keyOf(after) === keyOf(before)) faults.push('the new key does not sign tokens');
  for (const [who, whose] of [
    [before, 'of the key before'],
    [after, 'of the new key'],
  ] as const) {
    const { status } = await who.call('GET', '/users/profile');
    if (status !== 200) faults.push(`a token ${whose} is answered ${status}`);
  }

  const old = cluster.blobKek;
  const young = `bench${Date.now()}:${randomBytes(32).toString('base64')}`;
  for (const [kek, why] of [
    [`${old},${young}`, 'a further key for files is known'],
    [`${young},${old}`, 'it is the first'],
  ] as const) {
    cluster.configure({ BLOB_KEK: kek });
    await roll(FILES, why);
  }
  await run('rotate-blob-keys');
  cluster.configure({ BLOB_KEK: young });
  await roll(FILES, 'the old key for files is gone');
  const { status } = await before.call('GET', '/users/profile');
  if (status !== 200) faults.push(`the old token is answered ${status} in the end`);
  return { said, faults };
}
