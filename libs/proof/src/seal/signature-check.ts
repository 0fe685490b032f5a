/**
 * Verifies signatures and hashes of X.509 and CMS with WebCrypto: RSA (PKCS #1 v1.5, PSS) and ECDSA with
 * SHA-2.
 */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { id_mgf1, id_RSASSA_PSS, RsaSaPssParams } from '@peculiar/asn1-rsa';
import { AsnConvert } from '@peculiar/asn1-schema';
import { concat, equal } from '../bytes.ts';
import { childOf, oidText, readDer, TAG, type Der } from './der.ts';
import { plainAlgorithm } from '../fields.ts';

type Hash = 'SHA-256' | 'SHA-384' | 'SHA-512';

const HASHES: Record<string, Hash> = {
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
};
const HASH_BYTES: Record<Hash, number> = { 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 };

type PlainScheme = { name: 'RSASSA-PKCS1-v1_5' | 'ECDSA'; hash: Hash };
type Scheme = PlainScheme | { name: 'RSA-PSS'; hash: Hash; saltLength: number };

const PLAIN_SCHEMES: Record<string, PlainScheme> = {
  '1.2.840.113549.1.1.11': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  '1.2.840.113549.1.1.12': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' },
  '1.2.840.113549.1.1.13': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' },
  '1.2.840.10045.4.3.2': { name: 'ECDSA', hash: 'SHA-256' },
  '1.2.840.10045.4.3.3': { name: 'ECDSA', hash: 'SHA-384' },
  '1.2.840.10045.4.3.4': { name: 'ECDSA', hash: 'SHA-512' },
};
/** Identifies only the key: in CMS the digest algorithm gives the hash (RFC 8933 §3, RFC 3370 §3.2). */
const RSA_KEY = '1.2.840.113549.1.1.1';
const EC_KEY = '1.2.840.10045.2.1';
const CURVES: Record<string, { name: string; bytes: number }> = {
  '1.2.840.10045.3.1.7': { name: 'P-256', bytes: 32 },
  '1.3.132.0.34': { name: 'P-384', bytes: 48 },
  '1.3.132.0.35': { name: 'P-521', bytes: 66 },
};

/**
 * Returns the digest algorithm of an AlgorithmIdentifier.
 * @throws RangeError for a weak or unknown one
 */
export function hashOf(algorithm: Der): Hash {
  const hash = HASHES[plainAlgorithm(algorithm)];
  if (!hash) throw new RangeError('a digest algorithm that is not SHA-2');
  return hash;
}

/**
 * Returns the digest; SHA-1 only identifies certificates and keys (RFC 5035 §3, RFC 6960 §4), never
 * signatures.
 */
export function digest(hash: Hash | 'SHA-1', data: Uint8Array): Uint8Array {
  if (hash === 'SHA-1') return sha1(data);
  return { 'SHA-256': sha256, 'SHA-384': sha384, 'SHA-512': sha512 }[hash](data);
}

/**
 * Returns true if `signature` over `data` is valid for the key in `spki` (DER). `algorithm` is the
 * signature's AlgorithmIdentifier. `digestHash` is the digest algorithm of CMS, which must equal the
 * signature's hash.
 * @throws RangeError for unsupported algorithms
 */
export async function isSignedBy(
  spki: Der,
  claim: { algorithm: Der; digestHash?: Hash; data: Uint8Array; signature: Uint8Array },
): Promise<boolean> {
  const { algorithm, digestHash, data, signature } = claim;
  const scheme = schemeOf(algorithm, digestHash);
  if (digestHash && digestHash !== scheme.hash)
    throw new RangeError('two digest algorithms for one signature');
  if (scheme.name === 'ECDSA') return isEcdsa(spki, scheme.hash, data, signature);
  const key = await importKey(spki, { name: scheme.name, hash: scheme.hash });
  if (scheme.name === 'RSA-PSS' && !hasRoom(key, scheme)) return false;
  return crypto.subtle.verify(scheme, key, copy(signature), copy(data));
}

function schemeOf(algorithm: Der, digestHash: Hash | undefined): Scheme {
  if (oidText(algorithm.children[0]) === id_RSASSA_PSS) return pssScheme(algorithm);
  const oid = plainAlgorithm(algorithm);
  if (oid === RSA_KEY && digestHash) return { name: 'RSASSA-PKCS1-v1_5', hash: digestHash };
  const scheme = PLAIN_SCHEMES[oid];
  if (!scheme) throw new RangeError('a signature algorithm that is not supported');
  return scheme;
}

/**
 * Parses RSASSA-PSS-params (RFC 4055 §3.1). Web Crypto uses one hash for the data and the mask.
 * @throws RangeError for other parameters
 */
function pssScheme(algorithm: Der): Scheme {
  const { hashAlgorithm, maskGenAlgorithm, saltLength, trailerField } = pssParameters(
    childOf(algorithm, 1, TAG.sequence),
  );
  const hash = hashOf(readDer(encoded(hashAlgorithm)));
  if (maskGenAlgorithm.algorithm !== id_mgf1) throw new RangeError('RSASSA-PSS with another mask function');
  if (hashOf(readDer(new Uint8Array(maskGenAlgorithm.parameters ?? []))) !== hash)
    throw new RangeError('RSASSA-PSS with two hashes');
  if (saltLength < 0) throw new RangeError('RSASSA-PSS with an odd salt');
  if (trailerField !== 1) throw new RangeError('RSASSA-PSS with another trailer');
  return { name: 'RSA-PSS', hash, saltLength };
}

/** The library ignores unexpected values, so its result is encoded again and compared. */
function pssParameters({ bytes }: Der): RsaSaPssParams {
  let parameters: RsaSaPssParams;
  let again: Uint8Array;
  try {
    parameters = AsnConvert.parse(bytes, RsaSaPssParams);
    again = encoded(parameters);
  } catch {
    throw new RangeError('not the parameters of RSASSA-PSS');
  }
  if (!equal(again, bytes)) throw new RangeError('parameters of RSASSA-PSS that are not DER');
  return parameters;
}

const encoded = (value: unknown): Uint8Array => new Uint8Array(AsnConvert.serialize(value));

/**
 * Returns true if hash and salt fit into the key (RFC 8017 §9.1.2, step 3). Otherwise Node would throw an
 * OperationError.
 */
function hasRoom({ algorithm }: Key, { hash, saltLength }: { hash: Hash; saltLength: number }): boolean {
  const { modulusLength } = algorithm as typeof algorithm & { modulusLength: number };
  return HASH_BYTES[hash] + saltLength + 2 <= Math.ceil((modulusLength - 1) / 8);
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

/** Returns a positive INTEGER as `length` bytes. */
function fixed(value: Uint8Array, length: number): Uint8Array {
  const first = value[0] ?? 0x80;
  const bytes = first === 0 ? value.subarray(1) : value;
  if (first >= 0x80 || bytes.length > length) throw new RangeError('not an ECDSA signature');
  return concat(new Uint8Array(length - bytes.length), bytes);
}

type Key = Awaited<ReturnType<typeof importKey>>;
type KeyAlgorithm = { name: string; hash: Hash } | { name: string; namedCurve: string };

function importKey(spki: Der, algorithm: KeyAlgorithm) {
  return crypto.subtle.importKey('spki', copy(spki.bytes), algorithm, false, ['verify']).catch(() => {
    throw new RangeError('a key that is not supported');
  });
}

/** WebCrypto's types require an ArrayBuffer of its own. */
const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
