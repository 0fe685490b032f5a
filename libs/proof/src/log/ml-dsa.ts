/**
 * Cosignatures with the post-quantum ML-DSA-44 (FIPS 204): C2SP tlog-cosignature, `subtree/v1`. Separate from
 * `note.ts` because the code is large and the offline receipt does not need it.
 */
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { concat, utf8 } from '../bytes.ts';
import {
  ALGORITHM,
  cosignaturesOf,
  encodeCosignature,
  noteKey,
  parseCheckpoint,
  signatureLine,
  verifyCosignature,
  type Checkpoint,
  type CosignatureCheck,
  type NoteKey,
} from './note.ts';

const SIGNATURE_BYTES = 2420;
const SEED_BYTES = 32;
const LABEL = utf8('subtree/v1\n\0');

/**
 * Returns a text after its length in one byte.
 * @throws RangeError for an empty text or more than 255 bytes
 */
function short(text: string): Uint8Array {
  const bytes = utf8(text);
  if (bytes.length === 0 || bytes.length > 255) throw new RangeError('not a text of 1 to 255 bytes');
  return concat(Uint8Array.of(bytes.length), bytes);
}

function uint64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/**
 * Returns the signed message: the whole tree of a checkpoint and the cosigner's name. Extension lines of a
 * checkpoint are not included.
 * @param time seconds since 1970
 * @throws RangeError for a name or an origin of more than 255 bytes
 */
export const subtreeMessage = (cosigner: string, time: number, checkpoint: Checkpoint): Uint8Array =>
  concat(
    LABEL,
    short(cosigner),
    uint64(time),
    short(checkpoint.origin),
    uint64(0),
    uint64(checkpoint.size),
    checkpoint.root,
  );

/**
 * Verifies ML-DSA-44 cosignatures; keys of other algorithms count as unsigned. A time of 0 does not confirm
 * the newest tree and does not count.
 */
export const verifyMlDsaCosignature: CosignatureCheck = (note, key) => {
  if (key.algorithm !== ALGORITHM.mlDsa44) return undefined;
  const checkpoint = parseCheckpoint(note.body);
  return cosignaturesOf(note, key, SIGNATURE_BYTES).find(
    ({ time, signature }) =>
      time > 0 && ml_dsa44.verify(signature, subtreeMessage(key.name, time, checkpoint), key.publicKey),
  )?.time;
};

/**
 * Verifies Ed25519 and ML-DSA-44 cosignatures.
 * @throws RangeError for a note that is not a checkpoint
 */
export const verifyAnyCosignature: CosignatureCheck = (note, key) =>
  key.algorithm === ALGORITHM.mlDsa44 ? verifyMlDsaCosignature(note, key) : verifyCosignature(note, key);

export type MlDsaCosigner = {
  key: NoteKey;
  /** Returns the signature line for a checkpoint's body at a time in seconds. */
  cosign: (body: string, time: number) => string;
};

/**
 * Creates a cosigner.
 * @param name of the cosigner
 * @param seed 32 random bytes (FIPS 204, ξ), secret
 * @throws RangeError for a seed of another length
 */
export function mlDsaCosigner(name: string, seed: Uint8Array): MlDsaCosigner {
  if (seed.length !== SEED_BYTES) throw new RangeError('a seed of ML-DSA has 32 bytes');
  const { publicKey, secretKey } = ml_dsa44.keygen(seed);
  const key = noteKey(name, ALGORITHM.mlDsa44, publicKey);
  return {
    key,
    cosign: (body, time) => {
      const message = subtreeMessage(name, time, parseCheckpoint(body));
      return signatureLine(key, encodeCosignature(time, ml_dsa44.sign(message, secretKey)));
    },
  };
}
