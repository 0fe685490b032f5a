import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { fromBase64 } from '@karaar/proof/bytes';
import { mlDsaCosigner } from '@karaar/proof/log/ml-dsa';
import { ALGORITHM, formatKey, noteKey } from '@karaar/proof/log/note';

export const randomKey = (): string => randomBytes(32).toString('base64');

/** Returns a new Ed25519 private key: PKCS#8 in base64. */
export const ed25519Key = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

/** Returns the public key of a log or a witness as `name+id+key`. @param secret Ed25519, PKCS#8 in base64 */
export function noteKeyOf(kind: 'log' | 'cosignature', name: string, secret: string): string {
  const key = createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' });
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const algorithm = kind === 'log' ? ALGORITHM.ed25519 : ALGORITHM.cosignatureV1;
  return formatKey(noteKey(name, algorithm, new Uint8Array(der.subarray(-32))));
}

/** Returns a witness's second public key, ML-DSA-44. @param seed 32 bytes in base64 */
export const mlDsaKeyOf = (name: string, seed: string): string =>
  formatKey(mlDsaCosigner(name, fromBase64(seed)).key);
