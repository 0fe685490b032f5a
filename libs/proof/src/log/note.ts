/**
 * C2SP signed notes, checkpoints (tlog-checkpoint) and cosignatures (tlog-cosignature, `cosignature/v1`).
 * Ed25519 is verified as in RFC 8032, without WebCrypto, so that it also works on plain http. ML-DSA-44 keys
 * are parsed here, but their cosignatures are verified in `ml-dsa.ts`, so that pages that do not need them do
 * not load that code.
 */
import { hashes, verify as ed25519Verify } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { concat, equal, fromBase64, toBase64, toHex, utf8 } from '../bytes.ts';

hashes.sha512 = sha512;

/** First byte of an encoded key: its algorithm and the kind of its signatures. */
export const ALGORITHM = { ed25519: 0x01, cosignatureV1: 0x04, mlDsa44: 0x06 } as const;
export type Algorithm = (typeof ALGORITHM)[keyof typeof ALGORITHM];

const KEY_BYTES: Readonly<Record<Algorithm, number>> = {
  [ALGORITHM.ed25519]: 32,
  [ALGORITHM.cosignatureV1]: 32,
  [ALGORITHM.mlDsa44]: 1312,
};
const isAlgorithm = (byte: number | undefined): byte is Algorithm => byte !== undefined && byte in KEY_BYTES;

export type NoteKey = { name: string; id: Uint8Array; algorithm: Algorithm; publicKey: Uint8Array };
export type NoteSignature = { name: string; id: Uint8Array; bytes: Uint8Array };
export type Note = { body: string; signatures: NoteSignature[] };

const isName = (name: string): boolean => name !== '' && !/[\s+]/u.test(name);

/** @throws RangeError for an invalid name, or a key of the wrong length for its algorithm */
export function noteKey(name: string, algorithm: Algorithm, publicKey: Uint8Array): NoteKey {
  if (!isName(name) || publicKey.length !== KEY_BYTES[algorithm])
    throw new RangeError('not a name and a key');
  const encoded = concat(Uint8Array.of(algorithm), publicKey);
  const id = sha256(concat(utf8(`${name}\n`), encoded)).slice(0, 4);
  return { name, id, algorithm, publicKey };
}

/** Returns `name+id+key`, the exchange format of note keys. */
export function formatKey(key: NoteKey): string {
  return `${key.name}+${toHex(key.id)}+${toBase64(concat(Uint8Array.of(key.algorithm), key.publicKey))}`;
}

/**
 * Parses `name+id+key`.
 * @throws RangeError for a key that is malformed, of an unknown kind, or with a wrong id
 */
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

/** @throws RangeError for a text that is not a signed note */
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

/**
 * Returns the line of a signature in a note: an em dash, the name, and base64 of the id and the signature.
 */
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

/** Returns true if the note has exactly one signature by this key, and it is valid. */
export function verifyNote(note: Note, key: NoteKey): boolean {
  const [signature, ...more] = signaturesOf(note, key);
  if (!signature || more.length > 0 || key.algorithm !== ALGORITHM.ed25519) return false;
  return signature.bytes.length === 64 && isSigned(signature.bytes, utf8(note.body), key.publicKey);
}

/** Returns the message that a witness signs: the time (seconds since 1970) and the checkpoint's body. */
export const cosignedMessage = (body: string, time: number): Uint8Array =>
  utf8(`cosignature/v1\ntime ${time}\n${body}`);

/** Returns the bytes of a cosignature: the time in eight bytes, then the signature. */
export function encodeCosignature(time: number, signature: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time));
  return concat(bytes, signature);
}

/**
 * Returns the unverified cosignatures of a note with this key's name and id.
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

/**
 * Returns when this key cosigned, in seconds since 1970; undefined if it did not, or the signature is
 * invalid.
 */
export type CosignatureCheck = (note: Note, key: NoteKey) => number | undefined;

/** Verifies Ed25519 (`cosignature/v1`); keys of other algorithms count as unsigned. */
export const verifyCosignature: CosignatureCheck = (note, key) => {
  if (key.algorithm !== ALGORITHM.cosignatureV1) return undefined;
  return cosignaturesOf(note, key, 64).find(({ time, signature }) =>
    isSigned(signature, cosignedMessage(note.body, time), key.publicKey),
  )?.time;
};

export type Checkpoint = { origin: string; size: number; root: Uint8Array };

/** Returns the text that a log signs: origin, size in decimal and base64 root, a line each. */
export const checkpointBody = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/** @throws RangeError for a body that is not a checkpoint; lines after the third are extensions */
export function parseCheckpoint(body: string): Checkpoint {
  const [origin = '', size = '', root = ''] = body.split('\n');
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size)) throw new RangeError('not a checkpoint');
  const checkpoint = { origin, size: Number(size), root: fromBase64(root) };
  if (checkpoint.root.length !== 32 || !Number.isSafeInteger(checkpoint.size) || !body.endsWith('\n')) {
    throw new RangeError('not a checkpoint');
  }
  return checkpoint;
}
