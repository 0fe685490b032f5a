import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { toBase64, utf8 } from '../bytes.ts';
import { checkPlace } from '../seal/check-place.ts';
import { leafData } from './leaf.ts';
import { leafHash, treeHasher } from './merkle.ts';
import {
  ALGORITHM,
  checkpointBody,
  cosignedMessage,
  encodeCosignature,
  noteKey,
  signatureLine,
  type NoteKey,
} from './note.ts';
import { keyToday, parseRestart, restartBody, restartsBefore, type Restart } from './restart.ts';

type Signer = { key: NoteKey; secret: KeyObject };
const pairs = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')] as const;
const signer = (
  name: string,
  pair: 0 | 1 = 0,
  algorithm: NoteKey['algorithm'] = ALGORITHM.ed25519,
): Signer => {
  const { publicKey, privateKey } = pairs[pair];
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  return { key: noteKey(name, algorithm, raw), secret: privateKey };
};
const note = (body: string, signers: Signer[]): string =>
  `${body}\n${signers.map(({ key, secret }) => signatureLine(key, sign(null, utf8(body), secret))).join('')}`;

const [first, second, third] = [signer('log.test/1'), signer('log.test/2'), signer('log.test/3')];
const witness = signer('witness.test/w', 1, ALGORITHM.cosignatureV1);
const restart = (old: Signer, next: Signer, size: number): Restart => ({
  old: old.key,
  cut: { size, root: new Uint8Array(32) },
  witnessed: [{ witness: 'witness.test/w', size: size + 4 }],
  next: next.key,
  at: '2026-11-24T01:00:00.000Z',
});
const signed = (old: Signer, next: Signer, size: number): string =>
  note(restartBody(restart(old, next, size)), [old, next]);

it('is parsed as it was written, with both signatures', () => {
  expect(parseRestart(signed(first, second, 5))).toEqual(restart(first, second, 5));
});

it('is refused without one of its signatures, with another key, or changed', () => {
  const body = restartBody(restart(first, second, 5));
  expect(() => parseRestart(note(body, [first]))).toThrow(RangeError);
  expect(() => parseRestart(note(body, [second]))).toThrow(RangeError);
  expect(() => parseRestart(note(body, [first, signer('log.test/2', 1)]))).toThrow(RangeError);
  expect(() => parseRestart(signed(first, second, 5).replace('cut 5', 'cut 9'))).toThrow(RangeError);
  expect(() =>
    parseRestart(note(checkpointBody({ origin: 'a', size: 1, root: new Uint8Array(32) }), [first])),
  ).toThrow(RangeError);
});

it('leads from an old key to the current one, and back', () => {
  const notes = [signed(second, third, 8), signed(first, second, 5)];
  expect(keyToday(first.key, notes)).toEqual(third.key);
  expect(keyToday(third.key, notes)).toEqual(third.key);
  expect(restartsBefore(third.key, notes).map(({ old }) => old.name)).toEqual(['log.test/2', 'log.test/1']);
  expect(restartsBefore(first.key, notes)).toEqual([]);
});

describe('a proof under the old name', () => {
  const salt = new Uint8Array(32).fill(3);
  const fact = { code: '7K3M9QXA', sha256: 'ab'.repeat(32), sealedAt: '2026-11-21T06:00:00.000Z' };
  const leaves = [leafData(salt, fact), utf8('another')].map(leafHash);
  const body = () => {
    const hasher = treeHasher();
    for (const leaf of leaves) hasher.add(leaf);
    return checkpointBody({ origin: first.key.name, size: 2, root: hasher.root() });
  };
  const place = (checkpoint: string) => ({
    document_code: fact.code,
    sha256: fact.sha256,
    sealed_at: fact.sealedAt,
    salt: toBase64(salt),
    leaf_index: 0,
    tree_size: 2,
    inclusion: [toBase64(leaves[1] ?? salt)],
    checkpoint,
  });
  const sha256 = new Uint8Array(32).fill(0xab);
  const trust = (size?: number) => ({
    log: second.key,
    witnesses: [witness.key],
    restarts: size === undefined ? [] : restartsBefore(second.key, [signed(first, second, size)]),
  });
  const holds = (checkpoint: string, cut?: number) =>
    checkPlace(place(checkpoint), sha256, trust(cut)).checks.every(({ ok }) => ok);

  it('is valid only with the restart, which the check mentions', () => {
    const checkpoint = note(body(), [first]);
    expect(holds(checkpoint)).toBe(false);
    expect(holds(checkpoint, 1)).toBe(true);
    const { checks, origin } = checkPlace(place(checkpoint), sha256, trust(1));
    expect(origin).toBe('log.test/1');
    expect(checks.find(({ name }) => name === 'checkpoint')?.detail).toContain('goes on as log.test/2');
  });

  it('of an entry that the restart cut off counts if a witness has seen it', () => {
    const checkpoint = note(body(), [first]);
    expect(holds(checkpoint, 0)).toBe(false);
    const time = 1_795_000_000;
    const bytes = encodeCosignature(time, sign(null, cosignedMessage(body(), time), witness.secret));
    expect(holds(checkpoint + signatureLine(witness.key, bytes), 0)).toBe(true);
  });
});
