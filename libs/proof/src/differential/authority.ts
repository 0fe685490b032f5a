/**
 * A test authority that signs anything, even what a real authority would not: certificates, seals,
 * timestamps, lists.
 */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { readDer } from '../seal/der.ts';
import { digest } from '../seal/signature-check.ts';
import {
  bits,
  bool,
  encode,
  enumerated,
  generalTime,
  int,
  nodeOf,
  nothing,
  octets,
  oid,
  plain,
  positive,
  seq,
  set,
  tagged,
  text,
  utcTime,
  type Node,
} from './encode.ts';

const DAY = 24 * 3_600_000;
export const AT = new Date('2026-06-15T12:00:00Z');
const from = new Date(AT.getTime() - 100 * DAY);
const until = new Date(AT.getTime() + 100 * DAY);

export type Hash = 'SHA-256' | 'SHA-384' | 'SHA-512';
export const HASHES = ['SHA-256', 'SHA-384', 'SHA-512'] as const satisfies Hash[];
const DIGESTS: Record<Hash, string> = {
  'SHA-256': '2.16.840.1.101.3.4.2.1',
  'SHA-384': '2.16.840.1.101.3.4.2.2',
  'SHA-512': '2.16.840.1.101.3.4.2.3',
};
const ECDSA_WITH: Record<Hash, string> = {
  'SHA-256': '1.2.840.10045.4.3.2',
  'SHA-384': '1.2.840.10045.4.3.3',
  'SHA-512': '1.2.840.10045.4.3.4',
};
const RSA_WITH: Record<Hash, string> = {
  'SHA-256': '1.2.840.113549.1.1.11',
  'SHA-384': '1.2.840.113549.1.1.12',
  'SHA-512': '1.2.840.113549.1.1.13',
};
const BYTES: Record<Hash, number> = { 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 };

export const digestNode = (hash: Hash) => seq(oid(DIGESTS[hash]));
const SHA1 = seq(oid('1.3.14.3.2.26'), nothing);

export type Pss = { hash?: Hash; mask?: Hash; salt?: number };
/**
 * Returns the AlgorithmIdentifier of RSASSA-PSS.
 * @param more additional parameters at the end
 */
export const pssNode = ({ hash, mask, salt }: Pss, ...more: Node[]): Node =>
  seq(
    oid('1.2.840.113549.1.1.10'),
    seq(
      ...(hash ? [tagged(0, digestNode(hash))] : []),
      ...(mask ? [tagged(1, seq(oid('1.2.840.113549.1.1.8'), digestNode(mask)))] : []),
      ...(salt === undefined ? [] : [tagged(2, int(salt))]),
      ...more,
    ),
  );

/** For each kind of key: its generation, its usual hash, and the AlgorithmIdentifier of its signatures. */
const ecdsa = (namedCurve: string, hash: Hash) => ({
  make: { name: 'ECDSA', namedCurve },
  hash,
  said: (by: Hash): Node => seq(oid(ECDSA_WITH[by])),
});
const rsa = (name: string, said: (by: Hash) => Node) => ({
  make: { name, modulusLength: 2_048, publicExponent: Uint8Array.of(1, 0, 1) },
  hash: 'SHA-256' as Hash,
  said,
});
const KINDS = {
  'P-256': ecdsa('P-256', 'SHA-256'),
  'P-384': ecdsa('P-384', 'SHA-384'),
  'P-521': ecdsa('P-521', 'SHA-512'),
  RSA: rsa('RSASSA-PKCS1-v1_5', (by) => seq(oid(RSA_WITH[by]), nothing)),
  'RSASSA-PSS': rsa('RSA-PSS', (by) => pssNode({ hash: by, mask: by, salt: BYTES[by] })),
};
export type Kind = keyof typeof KINDS;
export const EVERY_KIND = Object.keys(KINDS) as Kind[];
export const saidBy = (kind: Kind, hash: Hash): Node => KINDS[kind].said(hash);

export type Keys = {
  sign: (data: Uint8Array) => Promise<Uint8Array>;
  spki: Node;
  key: Uint8Array;
  said: Node;
  /** The hash in its signatures. */
  hash: Hash;
};

/**
 * Generates a key pair whose `sign` returns DER for ECDSA, otherwise the signature's own bytes.
 * @param salt length in bytes, for RSASSA-PSS only
 */
export async function newKeys(
  kind: Kind = 'P-256',
  hash: Hash = KINDS[kind].hash,
  salt = BYTES[hash],
): Promise<Keys> {
  const { make } = KINDS[kind];
  const pair = await crypto.subtle.generateKey({ ...make, hash }, true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error(`${kind} has no key pair`);
  const { privateKey, publicKey } = pair;
  const spki = readDer(new Uint8Array(await crypto.subtle.exportKey('spki', publicKey)));
  const sign = async (data: Uint8Array): Promise<Uint8Array> => {
    const how = { name: make.name, hash, saltLength: salt };
    const raw = new Uint8Array(await crypto.subtle.sign(how, privateKey, new Uint8Array(data)));
    if (make.name !== 'ECDSA') return raw;
    const half = raw.length / 2;
    return encode(seq(positive(raw.subarray(0, half)), positive(raw.subarray(half))));
  };
  return {
    sign,
    spki: nodeOf(spki),
    key: spki.children[1]?.value.subarray(1) ?? new Uint8Array(),
    said: saidBy(kind, hash),
    hash,
  };
}

/** Returns body, algorithm and signature: the form of certificates, lists and OCSP answers. */
export const signed = async (body: Node, by: Keys, said = by.said): Promise<Node> =>
  seq(body, said, bits(await by.sign(encode(body))));

export const named = (name: string): Node => seq(set(seq(oid('2.5.4.3'), text(name))));

const extension = (id: string, isCritical: boolean, value: Node): Node =>
  seq(oid(id), ...(isCritical ? [bool(true)] : []), octets(encode(value)));
/** Returns a keyUsage of these bits, the highest last. */
export const usage = (...set: number[]): Node => {
  const byte = set.reduce((all, bit) => all | (0x80 >> bit), 0);
  return bits(Uint8Array.of(byte), 7 - (set.at(-1) ?? 0));
};

/** By object identifier, each with its value and whether it is critical. */
export type Extensions = Record<string, readonly [isCritical: boolean, value: Node]>;
const extensionsOf = (all: Extensions): Node =>
  seq(...Object.entries(all).map(([id, [isCritical, value]]) => extension(id, isCritical, value)));

const keyHash = ({ key }: Keys) => sha1(new Uint8Array(key));
/** Returns the identifiers of an issuer's key and, for certificates, of the holder's key (RFC 5280 §4.2.1.1). */
export const identifiersOf = (issuer: Keys, own?: Keys): Extensions => ({
  ...(own && { '2.5.29.14': [false, octets(keyHash(own))] }),
  '2.5.29.35': [false, seq(plain(0, keyHash(issuer)))],
});

/**
 * Returns the body of a certificate.
 * @param what `seal` and `stamp` are leaves, `root` may sign certificates and lists
 * @param more extensions in addition to the usual ones, or instead of them
 */
export function certificateBody(
  what: 'root' | 'seal' | 'stamp',
  holder: { name: string; serial: number; keys: Keys },
  issuer = 'Root',
  more: Extensions = {},
): Node {
  const isRoot = what === 'root';
  const [keyCertSign, cRLSign] = [5, 6];
  return seq(
    tagged(0, int(2)),
    int(holder.serial),
    holder.keys.said,
    named(issuer),
    seq(utcTime(from), utcTime(until)),
    named(holder.name),
    holder.keys.spki,
    tagged(
      3,
      extensionsOf({
        '2.5.29.19': [true, isRoot ? seq(bool(true)) : seq()],
        '2.5.29.15': [true, isRoot ? usage(keyCertSign, cRLSign) : usage(0)],
        ...(what === 'stamp' && { '2.5.29.37': [true, seq(oid('1.3.6.1.5.5.7.3.8'))] }),
        ...more,
      }),
    ),
  );
}

export type Party = { name: string; serial: number; keys: Keys; certificate: Uint8Array };

/**
 * Returns the signed attributes as [0] (RFC 5652 §5.3): content type, digest, and the signer's certificate.
 */
export const attributesOf = (
  contentType: string,
  content: Uint8Array,
  by: Party,
  hash: Hash = by.keys.hash,
): Node =>
  tagged(
    0,
    seq(oid('1.2.840.113549.1.9.3'), set(oid(contentType))),
    seq(oid('1.2.840.113549.1.9.4'), set(octets(digest(hash, content)))),
    seq(oid('1.2.840.113549.1.9.16.2.47'), set(seq(seq(seq(octets(sha256(by.certificate))))))),
  );

export const DATA = '1.2.840.113549.1.7.1';
export const TST_INFO = '1.2.840.113549.1.9.16.1.4';

type Signing = {
  by: Party;
  contentType: string;
  content?: Uint8Array | undefined;
  beside?: readonly Uint8Array[];
  /** False names of hash and signature algorithm. */
  digest?: Node;
  said?: Node;
};

/**
 * Returns a ContentInfo with SignedData of one signer (RFC 5652), detached without `content`.
 * @param beside DER of certificates after the signer's
 */
export async function signedData(
  attributes: Node,
  {
    by,
    contentType,
    content,
    beside = [],
    digest: hash = digestNode(by.keys.hash),
    said = by.keys.said,
  }: Signing,
): Promise<Node> {
  const toSign = encode(attributes);
  toSign[0] = 0x31;
  const certificates = [by.certificate, ...beside].map((one) => nodeOf(readDer(one)));
  const signer = seq(
    int(1),
    seq(named('Root'), int(by.serial)),
    hash,
    attributes,
    said,
    octets(await by.keys.sign(toSign)),
  );
  const inside = content ? [tagged(0, octets(content))] : [];
  return seq(
    oid('1.2.840.113549.1.7.2'),
    tagged(
      0,
      seq(
        int(content ? 3 : 1),
        set(hash),
        seq(oid(contentType), ...inside),
        tagged(0, ...certificates),
        set(signer),
      ),
    ),
  );
}

/**
 * Returns a TSTInfo (RFC 3161 §2.4.2) of the time `AT`, with the SHA-256 of the stamped bytes and each optional
 * field except extensions.
 */
export const timestampInfo = (stamped: Uint8Array, authority: string, ...more: Node[]): Node =>
  seq(
    int(1),
    oid('1.2.3.4'),
    seq(digestNode('SHA-256'), octets(sha256(stamped))),
    int(77),
    generalTime(AT),
    seq(int(1), plain(0, Uint8Array.of(5)), plain(1, Uint8Array.of(7))),
    bool(true),
    int(99),
    tagged(0, tagged(4, named(authority))),
    ...more,
  );

/**
 * Returns the body of a revocation list (RFC 5280 §5.1.2) with one serial number.
 * @param more extensions in addition to the usual ones, or instead of them
 * @param entry extensions of the entry
 */
export const listBody = (
  issuer: Party,
  revoked: number,
  more: Extensions = {},
  entry: Extensions = { '2.5.29.21': [false, enumerated(1)] },
): Node =>
  seq(
    int(1),
    issuer.keys.said,
    named(issuer.name),
    utcTime(from),
    utcTime(until),
    seq(seq(int(revoked), utcTime(from), extensionsOf(entry))),
    tagged(0, extensionsOf({ ...identifiersOf(issuer.keys), '2.5.29.20': [false, int(7)], ...more })),
  );

/** Returns the body of an OCSP answer (RFC 6960 §4.2.1) about one serial number. */
export function answerBody(issuer: Party, about: { serial: number; isRevoked: boolean }): Node {
  const id = seq(
    SHA1,
    octets(sha1(encode(named(issuer.name)))),
    octets(sha1(issuer.keys.key)),
    int(about.serial),
  );
  const verdict = about.isRevoked ? tagged(1, generalTime(from)) : plain(0);
  return seq(
    tagged(1, named(issuer.name)),
    generalTime(AT),
    seq(seq(id, verdict, generalTime(from), tagged(0, generalTime(until)))),
  );
}

/** Returns the complete OCSP answer around a signed body. */
export const ocspAnswer = (basic: Node): Node =>
  seq(enumerated(0), tagged(0, seq(oid('1.3.6.1.5.5.7.48.1.1'), octets(encode(basic)))));
