/**
 * C2SP signed notes, checkpoints (tlog-checkpoint) and cosignatures (tlog-cosignature, `cosignature/v1`).
 * Signatures are Ed25519 as RFC 8032 verifies it; runs without WebCrypto, so also on plain http. Keys of ML-DSA-44 are read
 * here and their cosignatures verified in `ml-dsa.ts`, so that a page which does not need these does not carry them.
 */
import { hashes, verify as ed25519Verify } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { concat, equal, fromBase64, toBase64, toHex, utf8 } from '../bytes.ts';

hashes.sha512 = sha512;

/** First byte of an encoded key: what its signatures are over. */
export const ALGORITHM = { ed25519: 0x01, cosignatureV1: 0x04, mlDsa44: 0x06 } as const;
export type Algorithm = (typeof ALGORITHM)[keyof typeof ALGORITHM];

const KEY_BYTES: Readonly<Record<Algorithm, number>> = {
  [ALGORITHM.ed25519]: 32,
  [ALGORITHM.cosignatureV1]: 32,
  [ALGORITHM.mlDsa44]: 1312,
};
const isAlgorithm = (byte: number | undefined): byte is Algorithm => byte !== undefined && byte in KEY_BYTES;

/** A key that may be below a note. */
export type NoteKey = { name: string; id: Uint8Array; algorithm: Algorithm; publicKey: Uint8Array };
export type NoteSignature = { name: string; id: Uint8Array; bytes: Uint8Array };
export type Note = { body: string; signatures: NoteSignature[] };

const isName = (name: string): boolean => name !== '' && !/[\s+]/u.test(name);

/** Throws RangeError for what is not a name, or a key of another length than the algorithm's. */
export function noteKey(name: string, algorithm: Algorithm, publicKey: Uint8Array): NoteKey {
  if (!isName(name) || publicKey.length !== KEY_BYTES[algorithm])
    throw new RangeError('not a name and a key');
  const encoded = concat(Uint8Array.of(algorithm), publicKey);
  const id = sha256(concat(utf8(`${name}\n`), encoded)).slice(0, 4);
  return { name, id, algorithm, publicKey };
}

/** `name+id+key`, the way in which note keys are handed over. */
export function formatKey(key: NoteKey): string {
  return `${key.name}+${toHex(key.id)}+${toBase64(concat(Uint8Array.of(key.algorithm), key.publicKey))}`;
}

/** Throws RangeError for a key that is malformed, of an unknown kind, or whose id does not belong to it. */
export function parseKey(text: string): NoteKey {
  const [, name = '', id = '', encoded = ''] =
    /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const [algorithm] = bytes;
  if (!isAlgorithm(algorithm)) throw new RangeError('not a note key');
  const key = noteKey(name, algorithm, bytes.slice(1));
  if (toHex(key.id) !== id) throw new RangeError('the id of the note key does not belong to it');
  return key;
}

const SIGNATURE_LINE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/u;

/** Throws RangeError for a text that is not a signed note. */
export function parseNote(text: string): Note {
  const split = text.lastIndexOf('\n\n');
  if (split < 0 || !text.endsWith('\n')) throw new RangeError('not a signed note');
  // eslint-disable-next-line no-control-regex -- control characters are what a note must not hold
  if (/[\x00-\x09\x0b-\x1f]/.test(text)) throw new RangeError('a note with control characters');
  const signatures = text
    .slice(split + 2, -1)
    .split('\n')
    .map((line) => {
      const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? [];
      const bytes = fromBase64(encoded);
      if (name === '' || bytes.length < 5) throw new RangeError('not a signature of a note');
      return { name, id: bytes.slice(0, 4), bytes: bytes.slice(4) };
    });
  return { body: text.slice(0, split + 1), signatures };
}

/** One signature line, with its end of line. */
export const signatureLine = (key: Pick<NoteKey, 'name' | 'id'>, bytes: Uint8Array): string =>
  `\u2014 ${key.name} ${toBase64(concat(key.id, bytes))}\n`;

const signaturesOf = (note: Note, key: NoteKey): NoteSignature[] =>
  note.signatures.filter(({ name, id }) => name === key.name && equal(id, key.id));

function isSigned(bytes: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return ed25519Verify(bytes, message, publicKey, { zip215: false });
  } catch {
    return false; // bytes that are not a point of the curve, or a signature of another length
  }
}

/** Does the note carry exactly one signature by this key, and does it hold? */
export function verifyNote(note: Note, key: NoteKey): boolean {
  const [signature, ...more] = signaturesOf(note, key);
  if (!signature || more.length > 0 || key.algorithm !== ALGORITHM.ed25519) return false;
  return signature.bytes.length === 64 && isSigned(signature.bytes, utf8(note.body), key.publicKey);
}

/** What a witness signs: the time (seconds since 1970) and the checkpoint's body. */
export const cosignedMessage = (body: string, time: number): Uint8Array =>
  utf8(`cosignature/v1\ntime ${time}\n${body}`);

/** The bytes of a cosignature: the time in eight bytes, then the signature. */
export function encodeCosignature(time: number, signature: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time));
  return concat(bytes, signature);
}

/**
 * The cosignatures below a note that are said to be of this key.
 * @param bytes the length of a signature of this algorithm
 */
export function cosignaturesOf(
  note: Note,
  key: NoteKey,
  bytes: number,
): { time: number; signature: Uint8Array }[] {
  return signaturesOf(note, key).flatMap((one) => {
    if (one.bytes.length !== 8 + bytes) return [];
    const time = Number(new DataView(one.bytes.buffer, one.bytes.byteOffset).getBigUint64(0));
    return Number.isSafeInteger(time) ? [{ time, signature: one.bytes.slice(8) }] : [];
  });
}

/** When this key cosigned, in seconds since 1970; undefined when it did not, or its signature is wrong. */
export type CosignatureCheck = (note: Note, key: NoteKey) => number | undefined;

/** Ed25519 (`cosignature/v1`); keys of other algorithms have not cosigned. */
export const verifyCosignature: CosignatureCheck = (note, key) => {
  if (key.algorithm !== ALGORITHM.cosignatureV1) return undefined;
  return cosignaturesOf(note, key, 64).find(({ time, signature }) =>
    isSigned(signature, cosignedMessage(note.body, time), key.publicKey),
  )?.time;
};

/** What a log says of itself: its name, how many leaves, and their root. */
export type Checkpoint = { origin: string; size: number; root: Uint8Array };

export const checkpointBody = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/** Throws RangeError for a body that is not a checkpoint; lines after the third are extensions. */
export function parseCheckpoint(body: string): Checkpoint {
  const [origin = '', size = '', root = ''] = body.split('\n');
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size)) throw new RangeError('not a checkpoint');
  const checkpoint = { origin, size: Number(size), root: fromBase64(root) };
  if (checkpoint.root.length !== 32 || !Number.isSafeInteger(checkpoint.size) || !body.endsWith('\n')) {
    throw new RangeError('not a checkpoint');
  }
  return checkpoint;
}
