import { createPrivateKey, createPublicKey } from 'node:crypto';
import { ALGORITHM, formatKey, noteKey } from '@karaar/proof/note';

/**
 * The public key of a log or a witness as others are told of it: `name+id+key`.
 *
 * @param secret Ed25519, PKCS#8 in base64
 */
export function noteKeyOf(kind: 'log' | 'cosignature', name: string, secret: string): string {
  const key = createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' });
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const algorithm = kind === 'log' ? ALGORITHM.ed25519 : ALGORITHM.cosignatureV1;
  return formatKey(noteKey(name, algorithm, new Uint8Array(der.subarray(-32))));
}
