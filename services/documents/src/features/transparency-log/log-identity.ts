import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  sign,
  type KeyObject,
} from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogIdentity, Witness } from '../../context.ts';
import { ALGORITHM, noteKey, parseKey, type NoteKey } from '@karaar/proof/log/note';

/**
 * Returns the log's identity. `secret` is a PKCS#8 key in base64; without it, a development key is created in
 * `stateDir`. Throws if the key is not an Ed25519 key.
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
    secretFor: (purpose) => {
      const seed = secret.export({ format: 'der', type: 'pkcs8' });
      return Buffer.from(hkdfSync('sha256', seed, '', `karaar documents ${purpose}`, 32));
    },
  };
}

/**
 * Parses a configured witness: `name+id+key https://…`, with an optional ML-DSA-44 key before the URL. Throws
 * RangeError for other text.
 */
export function parseWitness(text: string): Witness {
  const words = text.trim().split(/\s+/);
  const url = words.pop() ?? '';
  const [key, mlDsaKey, ...more] = words.map(parseKey);
  if (!key || more.length > 0 || !/^https?:\/\//.test(url))
    throw new RangeError('a witness needs its keys and its URL');
  if (key.algorithm !== ALGORITHM.cosignatureV1) throw new RangeError('a witness needs a cosignature key');
  const address = url.replace(/\/$/, '');
  if (!mlDsaKey) return { key, url: address };
  if (mlDsaKey.algorithm !== ALGORITHM.mlDsa44 || mlDsaKey.name !== key.name)
    throw new RangeError("a witness's second key must be an ML-DSA-44 key under the same name");
  return { key, mlDsaKey, url: address };
}

export const keysOf = ({ key, mlDsaKey }: Witness): NoteKey[] => (mlDsaKey ? [key, mlDsaKey] : [key]);

/**
 * Returns the number of witnesses that must cosign a checkpoint: the configured number, or the smallest
 * majority. Throws RangeError unless it is a majority: two majorities share a witness, which does not cosign
 * two histories.
 */
export function quorumOf(witnesses: readonly Witness[], configured?: number): number {
  const names = new Set(witnesses.map(({ key }) => key.name));
  if (names.size !== witnesses.length) throw new RangeError('LOG_WITNESSES names a witness twice');
  if (witnesses.length === 0 && !configured) return 0;
  const quorum = configured ?? Math.floor(witnesses.length / 2) + 1;
  if (quorum > witnesses.length || quorum * 2 <= witnesses.length)
    throw new RangeError(`LOG_QUORUM must be a majority of the ${witnesses.length} witnesses`);
  return quorum;
}

function publicBytes(secret: KeyObject): Uint8Array {
  const der = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  return new Uint8Array(der.subarray(-32));
}

/** With `wx`, two processes that start together use the same file. */
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
