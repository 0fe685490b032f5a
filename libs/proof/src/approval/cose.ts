/**
 * Public keys of passkeys (COSE, RFC 9052 and 9053) in the one form that authenticators write: a map in
 * CTAP2's canonical order. Any other form and additional bytes are refused.
 */
import { concat, equal, fromHex, toBase64url } from '../bytes.ts';

export type PasskeyAlgorithm = 'ES256' | 'RS256' | 'EdDSA';
export type PasskeyKey = {
  algorithm: PasskeyAlgorithm;
  jwk: { kty: string; crv?: string; x?: string; y?: string; n?: string; e?: string };
};

const ES256_HEAD = fromHex('a5010203262001215820');
const ES256_Y = fromHex('225820');
const EDDSA_HEAD = fromHex('a401010327200621' + '5820');
const RS256_HEAD = fromHex('a401030339010020' + '59');
const RS256_EXPONENT = fromHex('2143010001');
/** Sizes of an RSA modulus in bytes. */
const MODULI = [256, 384, 512];

/**
 * Parses a passkey's public key.
 * @throws RangeError for anything else
 */
export function readPasskeyKey(cose: Uint8Array): PasskeyKey {
  const key = es256(cose) ?? edDsa(cose) ?? rs256(cose);
  if (!key) throw new RangeError('not a public key of a passkey');
  return key;
}

function es256(cose: Uint8Array): PasskeyKey | undefined {
  const x = cose.slice(ES256_HEAD.length, ES256_HEAD.length + 32);
  const y = cose.slice(-32);
  if (x.length !== 32 || !equal(cose, concat(ES256_HEAD, x, ES256_Y, y))) return undefined;
  return { algorithm: 'ES256', jwk: { kty: 'EC', crv: 'P-256', x: toBase64url(x), y: toBase64url(y) } };
}

function edDsa(cose: Uint8Array): PasskeyKey | undefined {
  const x = cose.slice(-32);
  if (!equal(cose, concat(EDDSA_HEAD, x))) return undefined;
  return { algorithm: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: toBase64url(x) } };
}

function rs256(cose: Uint8Array): PasskeyKey | undefined {
  const at = RS256_HEAD.length + 2;
  const n = cose.slice(at, -RS256_EXPONENT.length);
  const length = Uint8Array.of(n.length >> 8, n.length & 0xff);
  if (!MODULI.includes(n.length) || (n[0] ?? 0) < 0x80) return undefined;
  if (!equal(cose, concat(RS256_HEAD, length, n, RS256_EXPONENT))) return undefined;
  return { algorithm: 'RS256', jwk: { kty: 'RSA', n: toBase64url(n), e: 'AQAB' } };
}
