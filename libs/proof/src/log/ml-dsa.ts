/**
 * Cosignatures with ML-DSA-44 (FIPS 204), which a quantum computer does not forge: C2SP tlog-cosignature, `subtree/v1`.
 * Apart from `note.ts` because the code is large: the offline receipt does not carry it.
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

/** A text after its length in one byte. Throws RangeError for an empty or a longer one. */
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
 * What is signed: the whole tree of a checkpoint, as the cosigner of this name saw it. Extension lines of a checkpoint are not
 * part of it.
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

/** ML-DSA-44; keys of other algorithms have not cosigned. A time of 0 says nothing of the newest tree and does not count. */
export const verifyMlDsaCosignature: CosignatureCheck = (note, key) => {
  if (key.algorithm !== ALGORITHM.mlDsa44) return undefined;
  const checkpoint = parseCheckpoint(note.body);
  return cosignaturesOf(note, key, SIGNATURE_BYTES).find(
    ({ time, signature }) =>
      time > 0 && ml_dsa44.verify(signature, subtreeMessage(key.name, time, checkpoint), key.publicKey),
  )?.time;
};

/** Ed25519 and ML-DSA-44. Throws RangeError for a note that is not a checkpoint. */
export const verifyAnyCosignature: CosignatureCheck = (note, key) =>
  key.algorithm === ALGORITHM.mlDsa44 ? verifyMlDsaCosignature(note, key) : verifyCosignature(note, key);

export type MlDsaCosigner = {
  key: NoteKey;
  /** The signature line for a checkpoint's body at a time in seconds. */
  cosign: (body: string, time: number) => string;
};

/**
 * @param name of the cosigner
 * @param seed 32 random bytes (FIPS 204, ξ): the secret
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
