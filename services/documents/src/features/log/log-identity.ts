/** The log's name and key, and the witnesses that it asks for cosignatures. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALGORITHM, noteKey, parseKey, type NoteKey } from '@karaar/proof/note';

export type LogIdentity = {
  key: NoteKey;
  /** Ed25519 over a checkpoint's body. */
  sign: (message: Uint8Array) => Uint8Array;
};

/** A witness of the C2SP tlog-witness protocol: its key and the address before `/add-checkpoint`. */
export type Witness = { key: NoteKey; url: string };

/**
 * The log's identity. `secret` is a PKCS#8 key in base64; without one a key is made in `stateDir` at the
 * first start (development only). Throws when the key is no Ed25519 key.
 */
export function openLogIdentity(options: {
  origin: string;
  secret: string | undefined;
  stateDir: string;
}): LogIdentity {
  const secret = options.secret
    ? createPrivateKey({ key: Buffer.from(options.secret, 'base64'), format: 'der', type: 'pkcs8' })
    : developmentKey(options.stateDir);
  if (secret.asymmetricKeyType !== 'ed25519') throw new Error('LOG_KEY must be an Ed25519 key');
  return {
    key: noteKey(options.origin, ALGORITHM.ed25519, publicBytes(secret)),
    sign: (message) => sign(null, message, secret),
  };
}

/** `name+id+key https://…`: as a configuration names a witness. Throws RangeError for anything else. */
export function parseWitness(text: string): Witness {
  const [key = '', url = '', more] = text.trim().split(/\s+/);
  if (more !== undefined || !/^https?:\/\//.test(url))
    throw new RangeError('a witness is its key and its URL');
  const parsed = parseKey(key);
  if (parsed.algorithm !== ALGORITHM.cosignatureV1) throw new RangeError('a witness needs a cosignature key');
  return { key: parsed, url: url.replace(/\/$/, '') };
}

function publicBytes(secret: KeyObject): Uint8Array {
  const der = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  return new Uint8Array(der.subarray(-32));
}

/** Made once; two processes that start together end up with the same file (`wx`). */
function developmentKey(stateDir: string): KeyObject {
  mkdirSync(stateDir, { recursive: true });
  const path = join(stateDir, 'log.key.pem');
  try {
    const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    writeFileSync(path, made, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return createPrivateKey(readFileSync(path));
}
