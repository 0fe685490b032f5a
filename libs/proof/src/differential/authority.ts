/** An authority of a test that signs whatever it is given, also what no authority would: certificates, seals, timestamps, lists. */
import { sha256 } from '@noble/hashes/sha2.js';
import { readDer } from '../seal/der.ts';
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
  seq,
  set,
  tagged,
  text,
  utcTime,
  type Node,
} from './encode.ts';

const DAY = 24 * 3_600_000;
/** When everything here is looked at. */
export const AT = new Date('2026-06-15T12:00:00Z');
const from = new Date(AT.getTime() - 100 * DAY);
const until = new Date(AT.getTime() + 100 * DAY);

const ECDSA_SHA256 = seq(oid('1.2.840.10045.4.3.2'));
const SHA256 = seq(oid('2.16.840.1.101.3.4.2.1'));
const SHA1 = seq(oid('1.3.14.3.2.26'), nothing);
const RSA = { modulusLength: 2_048, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' };
/** How each kind of key is made, and what certificates say of its signatures. */
const KINDS = {
  ECDSA: { make: { name: 'ECDSA', namedCurve: 'P-256' }, said: ECDSA_SHA256 },
  RSA: { make: { name: 'RSASSA-PKCS1-v1_5', ...RSA }, said: seq(oid('1.2.840.113549.1.1.11'), nothing) },
  'RSASSA-PSS': {
    make: { name: 'RSA-PSS', ...RSA },
    said: seq(
      oid('1.2.840.113549.1.1.10'),
      seq(tagged(0, SHA256), tagged(1, seq(oid('1.2.840.113549.1.1.8'), SHA256)), tagged(2, int(32))),
    ),
  },
} as const;
export type Kind = keyof typeof KINDS;

export type Keys = {
  sign: (data: Uint8Array) => Promise<Uint8Array>;
  spki: Node;
  key: Uint8Array;
  /** AlgorithmIdentifier of its signatures. */
  said: Node;
};

export async function newKeys(kind: Kind = 'ECDSA'): Promise<Keys> {
  const { make, said } = KINDS[kind];
  const pair = await crypto.subtle.generateKey(make, true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error(`${kind} has no pair of keys`);
  const { privateKey, publicKey } = pair;
  const spki = readDer(new Uint8Array(await crypto.subtle.exportKey('spki', publicKey)));
  const sign = async (data: Uint8Array): Promise<Uint8Array> => {
    const how = { name: make.name, hash: 'SHA-256', saltLength: 32 };
    const raw = new Uint8Array(await crypto.subtle.sign(how, privateKey, new Uint8Array(data)));
    return kind === 'ECDSA' ? encode(seq(positive(raw.subarray(0, 32)), positive(raw.subarray(32)))) : raw;
  };
  return { sign, spki: nodeOf(spki), key: spki.children[1]?.value.subarray(1) ?? new Uint8Array(), said };
}

function positive(bytes: Uint8Array): Node {
  let at = 0;
  while (at < bytes.length - 1 && bytes[at] === 0) at += 1;
  const short = bytes.subarray(at);
  return { tag: 0x02, value: (short[0] ?? 0) < 0x80 ? short : Uint8Array.of(0, ...short) };
}

/** What was signed, how, and the signature: the shape of certificates, lists and OCSP answers. */
export const signed = async (body: Node, by: Keys, said = by.said): Promise<Node> =>
  seq(body, said, bits(await by.sign(encode(body))));

export const named = (name: string): Node => seq(set(seq(oid('2.5.4.3'), text(name))));

const extension = (id: string, isCritical: boolean, value: Node): Node =>
  seq(oid(id), ...(isCritical ? [bool(true)] : []), octets(encode(value)));
const usage = (bit: number): Node => {
  const byte = 0x80 >> bit;
  return bits(Uint8Array.of(byte), 7 - bit);
};

/** The body of a certificate. @param what `seal` and `stamp` are leaves, `root` may sign certificates and lists */
export function certificateBody(
  what: 'root' | 'seal' | 'stamp',
  holder: { name: string; serial: number; keys: Keys },
  issuer = 'Root',
): Node {
  const isRoot = what === 'root';
  const rootUsage = bits(Uint8Array.of(0x06), 1); // keyCertSign and cRLSign
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
      seq(
        extension('2.5.29.19', true, isRoot ? seq(bool(true)) : seq()),
        extension('2.5.29.15', true, isRoot ? rootUsage : usage(0)),
        ...(what === 'stamp' ? [extension('2.5.29.37', true, seq(oid('1.3.6.1.5.5.7.3.8')))] : []),
      ),
    ),
  );
}

export type Party = { name: string; serial: number; keys: Keys; certificate: Uint8Array };

/** What the signer of a seal or a timestamp puts its name to. */
export const attributesOf = (contentType: string, content: Uint8Array, by: Party): Node =>
  tagged(
    0,
    seq(oid('1.2.840.113549.1.9.3'), set(oid(contentType))),
    seq(oid('1.2.840.113549.1.9.4'), set(octets(sha256(content)))),
    seq(oid('1.2.840.113549.1.9.16.2.47'), set(seq(seq(seq(octets(sha256(by.certificate))))))),
  );

export const DATA = '1.2.840.113549.1.7.1';
export const TST_INFO = '1.2.840.113549.1.9.16.1.4';

type Signing = {
  by: Party;
  contentType: string;
  /** Inside, where it is not apart. */
  content?: Uint8Array | undefined;
  /** Certificates besides the signer's own. */
  beside?: readonly Uint8Array[];
};

/** A CMS signature. */
export async function signedData(
  attributes: Node,
  { by, contentType, content, beside = [] }: Signing,
): Promise<Node> {
  const toSign = encode(attributes);
  toSign[0] = 0x31;
  const certificates = [by.certificate, ...beside].map((one) => nodeOf(readDer(one)));
  const signer = seq(
    int(1),
    seq(named('Root'), int(by.serial)),
    SHA256,
    attributes,
    ECDSA_SHA256,
    octets(await by.keys.sign(toSign)),
  );
  const inside = content ? [tagged(0, octets(content))] : [];
  return seq(
    oid('1.2.840.113549.1.7.2'),
    tagged(
      0,
      seq(
        int(content ? 3 : 1),
        set(SHA256),
        seq(oid(contentType), ...inside),
        tagged(0, ...certificates),
        set(signer),
      ),
    ),
  );
}

/** What a timestamp says of these bytes. */
export const timestampInfo = (stamped: Uint8Array): Node =>
  seq(int(1), oid('1.2.3.4'), seq(SHA256, octets(sha256(stamped))), int(77), generalTime(AT));

/** The body of a revocation list with one certificate in it. */
export const listBody = (revoked: number): Node =>
  seq(
    int(1),
    ECDSA_SHA256,
    named('Root'),
    utcTime(from),
    utcTime(until),
    seq(seq(int(revoked), utcTime(from))),
  );

/** The body of an OCSP answer of the issuer itself. */
export function answerBody(issuer: Party, about: { serial: number; isRevoked: boolean }, sha1: Hash): Node {
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
type Hash = (data: Uint8Array) => Uint8Array;

/** The whole OCSP answer around a signed one. */
export const ocspAnswer = (basic: Node): Node =>
  seq(enumerated(0), tagged(0, seq(oid('1.3.6.1.5.5.7.48.1.1'), octets(encode(basic)))));
