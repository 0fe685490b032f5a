/**
 * Verifies a passkey's signature of a statement (WebAuthn §7.2) offline with Web Crypto. Every byte must have
 * the form that our own request leads to: no extensions, no attested data, no trailing bytes.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, equal, fromBase64url, textOf, toBase64url, utf8 } from '../bytes.ts';
import { readPasskeyKey, type PasskeyAlgorithm, type PasskeyKey } from './cose.ts';

/** From the browser: base64url without padding. */
export type Assertion = { clientDataJSON: string; authenticatorData: string; signature: string };

export type AssertionClaim = {
  /** The text whose SHA-256 was the challenge. */
  statement: string;
  assertion: Assertion;
  /** COSE key. */
  publicKey: Uint8Array;
  /** Origin of the requesting page: `https://karaar.example`. */
  origin: string;
  rpId: string;
};

/** User present, user verified, backup eligible, backed up. */
const FLAGS = { present: 0x01, verified: 0x04, eligible: 0x08, synced: 0x10 } as const;
const KNOWN = FLAGS.present | FLAGS.verified | FLAGS.eligible | FLAGS.synced;
const DATA_BYTES = 37;
const COORDINATE = 32;

/** Returns the WebAuthn challenge for a statement: base64url of its SHA-256, without padding. */
export const challengeOf = (statement: string): string => toBase64url(sha256(utf8(statement)));

/**
 * Verifies that this key signed this statement on our page and that the device verified its user.
 * @throws RangeError
 */
export async function verifyAssertion(claim: AssertionClaim): Promise<{ counter: number }> {
  const { assertion, rpId } = claim;
  const clientData = fromBase64url(assertion.clientDataJSON);
  requireClientData(clientData, claim);
  const data = fromBase64url(assertion.authenticatorData);
  const counter = readData(data, rpId);
  const key = readPasskeyKey(claim.publicKey);
  const signed = concat(data, sha256(clientData));
  if (!(await isSigned(key, fromBase64url(assertion.signature), signed)))
    throw new RangeError('not signed by this key');
  return { counter };
}

function requireClientData(bytes: Uint8Array, { statement, origin }: AssertionClaim): void {
  let data: unknown;
  try {
    data = JSON.parse(textOf(bytes));
  } catch {
    throw new RangeError('client data that cannot be read');
  }
  const {
    type,
    challenge,
    origin: from,
    crossOrigin = false,
    topOrigin,
  } = Object(data) as Record<string, unknown>;
  if (type !== 'webauthn.get') throw new RangeError('not a signature of a passkey');
  if (challenge !== challengeOf(statement)) throw new RangeError('another statement');
  if (from !== origin || crossOrigin !== false || topOrigin !== undefined)
    throw new RangeError('asked by another page');
}

/** Checks the authenticator data and returns the counter. */
function readData(data: Uint8Array, rpId: string): number {
  if (data.length !== DATA_BYTES) throw new RangeError('authenticator data of another length');
  if (!equal(data.slice(0, 32), sha256(utf8(rpId)))) throw new RangeError('for another site');
  const flags = data[32] ?? 0;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  if (!has(FLAGS.present) || !has(FLAGS.verified)) throw new RangeError('the user was not recognised');
  if ((flags & ~KNOWN) !== 0 || (has(FLAGS.synced) && !has(FLAGS.eligible)))
    throw new RangeError('flags that are not set here');
  return new DataView(data.buffer, data.byteOffset).getUint32(33);
}

const ALGORITHMS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  EdDSA: { name: 'Ed25519' },
} as const satisfies Record<PasskeyAlgorithm, object>;

async function isSigned({ algorithm, jwk }: PasskeyKey, signature: Uint8Array, signed: Uint8Array) {
  const by = ALGORITHMS[algorithm];
  const raw = algorithm === 'ES256' ? rawSignature(signature) : signature;
  const key = await crypto.subtle.importKey('jwk', jwk, by, false, ['verify']).catch(() => {
    throw new RangeError('not a key');
  });
  return crypto.subtle.verify(by, key, raw as Uint8Array<ArrayBuffer>, signed as Uint8Array<ArrayBuffer>);
}

/**
 * Returns r and s concatenated, from the DER SEQUENCE { r INTEGER, s INTEGER }. Encodes them again and
 * compares, so that only one encoding is accepted.
 */
function rawSignature(der: Uint8Array): Uint8Array {
  const rLength = der[3] ?? 0;
  const r = coordinate(der.slice(4, 4 + rLength));
  const s = coordinate(der.slice(6 + rLength));
  const [rDer, sDer] = [integer(r), integer(s)];
  const again = concat(Uint8Array.of(0x30, rDer.length + sDer.length), rDer, sDer);
  if (!equal(again, der)) throw new RangeError('a signature in another form than DER');
  return concat(r, s);
}

/** Returns a positive INTEGER as 32 bytes. */
function coordinate(value: Uint8Array): Uint8Array {
  const bytes = value[0] === 0 ? value.slice(1) : value;
  if (bytes.length === 0 || bytes.length > COORDINATE) throw new RangeError('not a number of this curve');
  return concat(new Uint8Array(COORDINATE - bytes.length), bytes);
}

function integer(coordinateBytes: Uint8Array): Uint8Array {
  const first = coordinateBytes.findIndex((byte) => byte !== 0);
  if (first < 0) throw new RangeError('not a number of this curve');
  const bytes = coordinateBytes.slice(first);
  const value = (bytes[0] ?? 0) > 0x7f ? concat(Uint8Array.of(0), bytes) : bytes;
  return concat(Uint8Array.of(0x02, value.length), value);
}
