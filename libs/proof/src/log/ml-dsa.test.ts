import { createPublicKey, verify } from 'node:crypto';
import { concat, fromBase64, fromHex, toHex } from '../bytes.ts';
import { mlDsaCosigner, subtreeMessage, verifyAnyCosignature, verifyMlDsaCosignature } from './ml-dsa.ts';
import {
  ALGORITHM,
  formatKey,
  noteKey,
  parseCheckpoint,
  parseKey,
  parseNote,
  verifyCosignature,
} from './note.ts';
import { checkCheckpoint, parsePolicy } from './policy.ts';
import { parties } from '../testing/small-tlog.ts';

/** SubjectPublicKeyInfo of ML-DSA-44 up to the key: its OID, and a bit string of 1312 bytes. */
const SPKI_HEAD = '30820532300b060960864801650304031103820521';
const TIME = 1_790_000_000;
const cosigner = mlDsaCosigner('witness.example/pq', new Uint8Array(32).fill(7));
const { log, witnesses, checkpoint } = parties('log.example/pq', ['witness.example/other']);
const note = checkpoint([cosigner]);

it('lays out the signed message as C2SP does: label, cosigner, time, origin, from, to, root', () => {
  const root = new Uint8Array(32).fill(0xab);
  const message = subtreeMessage('w', 0x0102, { origin: 'log', size: 5, root });
  expect(toHex(message)).toBe(
    [
      '737562747265652f76310a00',
      '0177',
      '0000000000000102',
      '036c6f67',
      '0000000000000000',
      '0000000000000005',
      'ab'.repeat(32),
    ].join(''),
  );
});

it('a cosignature is valid for another implementation of FIPS 204 (OpenSSL)', () => {
  const [line = ''] = note.split('\n').slice(-2);
  const bytes = fromBase64(line.split(' ')[2] ?? '');
  expect(bytes.length).toBe(4 + 8 + 2420);
  const spki = concat(fromHex(`${SPKI_HEAD}00`), cosigner.key.publicKey);
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const message = subtreeMessage(cosigner.key.name, TIME, parseCheckpoint(parseNote(note).body));
  expect(verify(null, message, key, bytes.slice(12))).toBe(true);
});

it('keys are exchanged as `name+id+key` with the algorithm 6', () => {
  const key = parseKey(formatKey(cosigner.key));
  expect(key).toEqual(cosigner.key);
  expect(key.algorithm).toBe(6);
  expect(() => noteKey('w', ALGORITHM.mlDsa44, new Uint8Array(32))).toThrow(RangeError);
  expect(() => noteKey('w', ALGORITHM.cosignatureV1, new Uint8Array(1312))).toThrow(RangeError);
});

describe('a cosignature', () => {
  it('is valid only for its checkpoint, key and name', () => {
    expect(verifyAnyCosignature(parseNote(note), cosigner.key)).toBe(TIME);
    const renamed = noteKey('witness.example/else', ALGORITHM.mlDsa44, cosigner.key.publicKey);
    const asRenamed = note.replace(/— witness\.example\/pq \S+/, (line) => {
      const bytes = fromBase64(line.split(' ')[2] ?? '').slice(4);
      return `— ${renamed.name} ${Buffer.from(concat(renamed.id, bytes)).toString('base64')}`;
    });
    expect(verifyMlDsaCosignature(parseNote(asRenamed), renamed)).toBeUndefined();
    expect(verifyMlDsaCosignature(parseNote(note.replace('\n1\n', '\n2\n')), cosigner.key)).toBeUndefined();
    const [other] = witnesses;
    expect(other && verifyMlDsaCosignature(parseNote(note), other.mlDsa.key)).toBeUndefined();
  });

  it('is refused after a change of any part', () => {
    const [line = ''] = note.split('\n').slice(-2);
    const [, name = '', encoded = ''] = line.split(' ');
    const bytes = fromBase64(encoded);
    // One byte of the time, and of each part of the signature: the hash, the vectors, the hints.
    for (const at of [4, 11, 12, 43, 44, 1_000, 2_347, 2_348, 2_431]) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      const forged = note.replace(line, `— ${name} ${Buffer.from(changed).toString('base64')}`);
      expect({ at, time: verifyMlDsaCosignature(parseNote(forged), cosigner.key) }).toEqual({ at });
    }
    const short = note.replace(line, `— ${name} ${Buffer.from(bytes.slice(0, -1)).toString('base64')}`);
    expect(verifyMlDsaCosignature(parseNote(short), cosigner.key)).toBeUndefined();
  });

  it('without a time does not count, because it does not confirm the newest tree', () => {
    const timeless = `${checkpoint([])}${cosigner.cosign(parseNote(note).body, 0)}`;
    expect(verifyMlDsaCosignature(parseNote(timeless), cosigner.key)).toBeUndefined();
  });
});

it('a policy decides whether a witness must sign with one of its keys or with both', () => {
  const [witness] = witnesses;
  if (!witness) throw new Error('expected a witness');
  const policy = (how: string) =>
    parsePolicy(
      [
        `log ${formatKey(log.key)}`,
        `witness a ${formatKey(witness.ed25519.key)}`,
        `witness b ${formatKey(witness.mlDsa.key)}`,
        `group both ${how} a b`,
        'quorum both',
        '',
      ].join('\n'),
    );
  const confirmed = (
    how: string,
    cosigners: Parameters<typeof checkpoint>[0],
    check = verifyAnyCosignature,
  ) => checkCheckpoint(checkpoint(cosigners), policy(how), check).confirmed;
  expect(confirmed('any', [witness.ed25519])).toBe(true);
  expect(confirmed('any', [witness.mlDsa])).toBe(true);
  expect(confirmed('all', [witness.ed25519])).toBe(false);
  expect(confirmed('all', [witness.mlDsa])).toBe(false);
  expect(confirmed('all', [witness.ed25519, witness.mlDsa])).toBe(true);
  // For a verifier without ML-DSA such a witness has not signed.
  expect(confirmed('all', [witness.ed25519, witness.mlDsa], verifyCosignature)).toBe(false);
});
