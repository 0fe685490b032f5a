/** Encrypts small secrets for a column with AES-256-GCM, bound to the row's owner. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

export type SecretBox = {
  /** nonce ‖ ciphertext ‖ tag. */
  seal: (text: string, owner: string) => Buffer;
  /** @throws when the bytes were altered or belong to another owner */
  open: (sealed: Buffer, owner: string) => string;
};

export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal: (text, owner) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, owner) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE))
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(-TAG));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}
