/** The key with which this process signs grants. It is made at the start and never leaves the memory. */
import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';

export type GrantKey = { kid: string; privateKey: KeyObject; /** The public key, base64url. */ x: string };

export function createGrantKey(): GrantKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { kid: randomUUID(), privateKey, x: String(publicKey.export({ format: 'jwk' }).x) };
}
