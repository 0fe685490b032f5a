/** Checks signatures and hashes of X.509 and CMS with WebCrypto: RSA (PKCS #1 v1.5, PSS) and ECDSA with SHA-2. */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { concat } from '../bytes.ts';
import { childOf, integerOf, oidText, readDer, TAG, type Der } from './der.ts';
import { algorithmOf, Fields, only, plainAlgorithm } from '../fields.ts';

type Hash = 'SHA-256' | 'SHA-384' | 'SHA-512';

const HASHES: Record<string, Hash> = {
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
};
const RSA: Record<string, Hash | 'by digest'> = {
  '1.2.840.113549.1.1.1': 'by digest',
  '1.2.840.113549.1.1.11': 'SHA-256',
  '1.2.840.113549.1.1.12': 'SHA-384',
  '1.2.840.113549.1.1.13': 'SHA-512',
};
const ECDSA: Record<string, Hash> = {
  '1.2.840.10045.4.3.2': 'SHA-256',
  '1.2.840.10045.4.3.3': 'SHA-384',
  '1.2.840.10045.4.3.4': 'SHA-512',
};
const PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';
const HASH_BYTES: Record<Hash, number> = { 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 };
const EC_KEY = '1.2.840.10045.2.1';
const CURVES: Record<string, { name: string; bytes: number }> = {
  '1.2.840.10045.3.1.7': { name: 'P-256', bytes: 32 },
  '1.3.132.0.34': { name: 'P-384', bytes: 48 },
  '1.3.132.0.35': { name: 'P-521', bytes: 66 },
};

/** The digest algorithm of an AlgorithmIdentifier; throws RangeError for one that is weak or unknown. */
export function hashOf(algorithm: Der): Hash {
  const hash = HASHES[plainAlgorithm(algorithm)];
  if (!hash) throw new RangeError('a digest algorithm that is not SHA-2');
  return hash;
}

export function digest(hash: Hash | 'SHA-1', data: Uint8Array): Uint8Array {
  if (hash === 'SHA-1') return sha1(data);
  return { 'SHA-256': sha256, 'SHA-384': sha384, 'SHA-512': sha512 }[hash](data);
}

/**
 * Is `signature` one over `data` by the key in `spki` (DER)? `algorithm` is the signature's
 * AlgorithmIdentifier, `digestHash` the one of CMS where the algorithm names none. Throws RangeError for
 * what is not supported.
 */
export async function isSignedBy(
  spki: Der,
  claim: { algorithm: Der; digestHash?: Hash; data: Uint8Array; signature: Uint8Array },
): Promise<boolean> {
  const { algorithm, data, signature } = claim;
  const isPss = oidText(algorithm.children[0]) === PSS;
  const oid = isPss ? PSS : plainAlgorithm(algorithm);
  if (ECDSA[oid]) return isEcdsa(spki, ECDSA[oid], data, signature);
  const { name, hash, saltLength } = isPss
    ? { name: 'RSA-PSS', ...pssParameters(algorithm) }
    : { name: 'RSASSA-PKCS1-v1_5', hash: rsaHash(oid, claim.digestHash), saltLength: 0 };
  const key = await importKey(spki, { name, hash });
  return crypto.subtle.verify({ name, saltLength }, key, copy(signature), copy(data));
}

function rsaHash(oid: string, digestHash: Hash | undefined): Hash {
  const stated = RSA[oid];
  const hash = stated === 'by digest' ? digestHash : stated;
  if (!hash) throw new RangeError('a signature algorithm that is not supported');
  if (digestHash && digestHash !== hash) throw new RangeError('two digest algorithms for one signature');
  return hash;
}

/** RSASSA-PSS-params (RFC 4055 §3.1) with the same SHA-2 hash everywhere and a salt as long as it, as everybody uses it. */
function pssParameters(algorithm: Der): { hash: Hash; saltLength: number } {
  const fields = new Fields(childOf(algorithm, 1, TAG.sequence));
  const hash = hashOf(algorithmOf(only(fields.next(0xa0))));
  const mask = new Fields(only(fields.next(0xa1)));
  if (oidText(mask.next(TAG.oid)) !== MGF1) throw new RangeError('RSASSA-PSS with another mask');
  if (hashOf(algorithmOf(mask.next(TAG.sequence))) !== hash)
    throw new RangeError('RSASSA-PSS with two hashes');
  mask.end();
  const [saltLength = 0, ...more] = integerOf(only(fields.next(0xa2)));
  if (more.length > 0 || saltLength !== HASH_BYTES[hash]) throw new RangeError('RSASSA-PSS with an odd salt');
  fields.end();
  return { hash, saltLength };
}

async function isEcdsa(spki: Der, hash: Hash, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const identifier = childOf(spki, 0, TAG.sequence);
  const curve = CURVES[oidText(identifier.children[1])];
  if (oidText(identifier.children[0]) !== EC_KEY || !curve)
    throw new RangeError('a curve that is not supported');
  const pair = readDer(signature);
  if (pair.tag !== TAG.sequence || pair.children.length !== 2) throw new RangeError('not an ECDSA signature');
  const raw = concat(
    fixed(childOf(pair, 0, TAG.integer).value, curve.bytes),
    fixed(childOf(pair, 1, TAG.integer).value, curve.bytes),
  );
  const key = await importKey(spki, { name: 'ECDSA', namedCurve: curve.name });
  return crypto.subtle.verify({ name: 'ECDSA', hash }, key, raw.slice(), copy(data));
}

/** A positive INTEGER as so many bytes. */
function fixed(value: Uint8Array, length: number): Uint8Array {
  const first = value[0] ?? 0x80;
  const bytes = first === 0 ? value.subarray(1) : value;
  if (first >= 0x80 || bytes.length > length) throw new RangeError('not an ECDSA signature');
  return concat(new Uint8Array(length - bytes.length), bytes);
}

type KeyAlgorithm = { name: string; hash: Hash } | { name: string; namedCurve: string };

function importKey(spki: Der, algorithm: KeyAlgorithm) {
  return crypto.subtle.importKey('spki', copy(spki.bytes), algorithm, false, ['verify']).catch(() => {
    throw new RangeError('a key that is not supported');
  });
}

/** WebCrypto's types want bytes of their own buffer. */
const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
