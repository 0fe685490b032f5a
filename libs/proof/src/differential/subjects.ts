/**
 * The signed values with which readers are compared: certificates, seals, timestamps, lists and OCSP answers,
 * for every kind of key. About half of the changed values are signed after the change, so that only the
 * parsing decides.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from '../bytes.ts';
import { allowsUsage, chainTo, purposes, readCertificate } from '../seal/certificate.ts';
import { readSignature } from '../seal/cms.ts';
import { readDer } from '../seal/der.ts';
import { revocationState } from '../seal/revocation.ts';
import { isSignedBy } from '../seal/signature-check.ts';
import { verifyTimestamp } from '../seal/timestamp.ts';
import {
  answerBody,
  AT,
  attributesOf,
  certificateBody,
  DATA,
  digestNode,
  identifiersOf,
  listBody,
  newKeys,
  ocspAnswer,
  signed,
  signedData,
  timestampInfo,
  TST_INFO,
  type Extensions,
  type Hash,
  type Kind,
  type Party,
} from './authority.ts';
import { encode, int, nodeOf, seq, type Node } from './encode.ts';
import { chanceOf, mutated, type Chance } from './mutate.ts';

export const CONTENT = new TextEncoder().encode('the bytes of a document');

export type Subject<T> = {
  whole: Uint8Array;
  /** Returns undefined if the change left nothing to sign. */
  changed: (chance: Chance) => Promise<Uint8Array | undefined>;
  /** Reads the value with the product's reader; undefined for a refusal. */
  read: (bytes: Uint8Array) => Promise<T | undefined>;
};

export type Parties = { root: Party; sealer: Party; stamper: Party };

/** @param hash of all signatures; by default the usual one of the kind */
export async function partiesBy(kind: Kind, hash?: Hash): Promise<Parties> {
  const rootKeys = await newKeys(kind, hash);
  const party = async (what: 'root' | 'seal' | 'stamp', name: string, serial: number): Promise<Party> => {
    const keys = what === 'root' ? rootKeys : await newKeys(kind, hash);
    const body = certificateBody(what, { name, serial, keys }, 'Root', identifiersOf(rootKeys, keys));
    return { name, serial, keys, certificate: encode(await signed(body, rootKeys)) };
  };
  return {
    root: await party('root', 'Root', 1),
    sealer: await party('seal', 'Sealer', 2),
    stamper: await party('stamp', 'Stamper', 3),
  };
}

export const EVERY_BIT = [0, 1, 2, 3, 4, 5, 6, 7, 8];
export type Said = { from: number; until: number; serial: string; purposes: string[]; usage: number[] };

/** Returns a timestamp certificate that the root issued, read as its validity, serial number and purposes. */
export function certificates({ root, stamper }: Parties): Subject<Said> {
  const issue = async (body: Node, said?: Node) => encode(await signed(body, root.keys, said));
  const body = (more: Extensions) => certificateBody('stamp', stamper, 'Root', more);
  const roots = [readCertificate(root.certificate)];
  const signature = encode(seq(int(1), int(1)));
  const claim = { algorithm: readDer(encode(stamper.keys.said)), data: CONTENT, signature };
  return {
    whole: stamper.certificate,
    changed: async (chance) => {
      if (chance(3) === 0) return mutated(stamper.certificate, chance);
      if (chance(2) === 0) {
        const isIdentified = chance(2) === 0;
        const changed = changedNode(body(isIdentified ? identifiersOf(root.keys, stamper.keys) : {}), chance);
        return changed && issue(changed);
      }
      // The algorithm is in a certificate twice; a change of only one place would be refused for that reason.
      const said = changedNode(root.keys.said, chance);
      return said && issue(certificateBody('stamp', { ...stamper, keys: { ...stamper.keys, said } }), said);
    },
    read: async (bytes) => {
      const certificate = readCertificate(bytes);
      const chain = await chainTo(certificate, { roots, others: [], at: AT });
      // A caller with the chain does this next; it throws if the key is unreadable.
      await isSignedBy(certificate.spki, claim);
      return (
        chain && {
          from: certificate.notBefore.getTime(),
          until: certificate.notAfter.getTime(),
          serial: toHex(certificate.serial),
          purposes: purposes(certificate) ?? [],
          usage: EVERY_BIT.filter((bit) => allowsUsage(certificate, bit)),
        }
      );
    },
  };
}

/** @param parties with SHA-256 signatures, as in seals */
export async function seals({ root, sealer }: Parties): Promise<Subject<true>> {
  const attributes = attributesOf(DATA, CONTENT, sealer);
  const given = { by: sealer, contentType: DATA };
  const whole = encode(await signedData(attributes, given));
  return {
    whole,
    changed: async (chance) => {
      if (chance(2) === 0) return mutated(whole, chance);
      if (chance(2) === 0) return withAlgorithms(attributes, given, chance);
      if (chance(3) === 0) {
        const by = await reissued('seal', sealer, root, chance);
        return by && encode(await signedData(attributesOf(DATA, CONTENT, by), { ...given, by }));
      }
      const changed = changedNode(attributes, chance);
      return changed && encode(await signedData(changed, given));
    },
    read: async (bytes) => {
      const { signature, boundToCertificate } = await readSignature(bytes).verify(sha256(CONTENT));
      return signature && boundToCertificate ? true : undefined;
    },
  };
}

/** Returns the party with a changed certificate that the root has signed. */
async function reissued(
  what: 'seal' | 'stamp',
  party: Party,
  root: Party,
  chance: Chance,
): Promise<Party | undefined> {
  const body = certificateBody(what, party, 'Root', identifiersOf(root.keys, party.keys));
  const changed = changedNode(body, chance);
  return changed && { ...party, certificate: encode(await signed(changed, root.keys)) };
}

/** Returns a valid signature with a changed name of its hash or its algorithm. */
async function withAlgorithms(attributes: Node, given: Parameters<typeof signedData>[1], chance: Chance) {
  const { hash, said } = given.by.keys;
  const isSaid = chance(2) === 0;
  const changed = changedNode(isSaid ? said : digestNode(hash), chance);
  return changed && encode(await signedData(attributes, { ...given, [isSaid ? 'said' : 'digest']: changed }));
}

/** Returns a timestamp of `CONTENT`, read as its time in milliseconds since 1970. */
export async function timestamps({ root, stamper }: Parties): Promise<Subject<number>> {
  const roots = [readCertificate(root.certificate)];
  const info = timestampInfo(CONTENT, stamper.name);
  const given = (content: Uint8Array, by = stamper) => ({ by, contentType: TST_INFO, content });
  const tokenOf = async (
    about: Node,
    { by = stamper, change }: { by?: Party; change?: (attributes: Node) => Node | undefined } = {},
  ) => {
    const content = encode(about);
    const attributes = attributesOf(TST_INFO, content, by);
    const used = change ? change(attributes) : attributes;
    return used && encode(await signedData(used, given(content, by)));
  };
  const whole = (await tokenOf(info)) ?? new Uint8Array();
  return {
    whole,
    changed: async (chance) => {
      if (chance(2) === 0) return mutated(whole, chance);
      if (chance(3) === 0) {
        const content = encode(info);
        return withAlgorithms(attributesOf(TST_INFO, content, stamper), given(content), chance);
      }
      if (chance(3) === 0) {
        const by = await reissued('stamp', stamper, root, chance);
        return by && tokenOf(info, { by });
      }
      if (chance(2) === 0) return tokenOf(info, { change: (attributes) => changedNode(attributes, chance) });
      const changed = changedNode(info, chance);
      return changed && tokenOf(changed);
    },
    read: async (bytes) => {
      const { ok, time } = await verifyTimestamp(readDer(bytes), CONTENT, roots);
      return ok ? time.getTime() : undefined;
    },
  };
}

/**
 * Returns a revocation list, read as whether it revokes the sealer.
 * @param isIn whether the list contains the sealer
 */
export async function lists({ root, sealer }: Parties, isIn: boolean): Promise<Subject<boolean>> {
  const body = listBody(root, isIn ? sealer.serial : 99);
  const whole = encode(await signed(body, root.keys));
  return {
    whole,
    changed: async (chance) => {
      if (chance(2) === 0) return mutated(whole, chance);
      const changed = changedNode(body, chance);
      return changed && encode(await signed(changed, root.keys));
    },
    read: (bytes) => isRevoked({ root, sealer }, { crls: [bytes] }),
  };
}

/**
 * Returns an OCSP answer about the sealer, read as whether it is revoked.
 * @param isIn whether the answer says so
 */
export async function answers({ root, sealer }: Parties, isIn: boolean): Promise<Subject<boolean>> {
  const body = answerBody(root, { serial: sealer.serial, isRevoked: isIn });
  const answer = async (about: Node, said?: Node) => encode(ocspAnswer(await signed(about, root.keys, said)));
  const whole = await answer(body);
  return {
    whole,
    changed: async (chance) => {
      if (chance(2) === 0) return mutated(whole, chance);
      if (chance(3) === 0) {
        const said = changedNode(root.keys.said, chance);
        return said && answer(body, said);
      }
      const changed = changedNode(body, chance);
      return changed && answer(changed);
    },
    read: (bytes) => isRevoked({ root, sealer }, { ocsps: [bytes] }),
  };
}

async function isRevoked(
  { root, sealer }: Pick<Parties, 'root' | 'sealer'>,
  values: { ocsps?: Uint8Array[]; crls?: Uint8Array[] },
): Promise<boolean | undefined> {
  const [certificate, issuer] = [readCertificate(sealer.certificate), readCertificate(root.certificate)];
  const found = await revocationState(certificate, issuer, {
    values: { ocsps: [], crls: [], ...values },
    at: AT,
  });
  return found === 'unknown' ? undefined : found === 'revoked';
}

/** Returns a changed value; undefined if the result is not DER. */
function changedNode(node: Node, chance: Chance): Node | undefined {
  try {
    return nodeOf(readDer(mutated(encode(node), chance)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reads with the product's reader; undefined for a refusal. Any error other than a RangeError is a bug in the
 * reader.
 */
async function ours<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Makes `each` changed values and gives those that our reader accepts to another reader.
 * @param as converts our result to the other reader's result
 * @returns how many values ours accepted, so that a reader that refuses all is noticed, and the differences
 */
export async function compare<T>(
  subject: Subject<T>,
  theirs: (bytes: Uint8Array) => Promise<unknown>,
  { seed, each, as = (own) => own }: { seed: number; each: number; as?: (own: T) => unknown },
): Promise<{ accepted: number; apart: string[] }> {
  let accepted = 0;
  const apart: string[] = [];
  for (let i = 0; i < each; i += 1) {
    const bytes = await subject.changed(chanceOf(seed + i));
    const own = bytes && (await ours(() => subject.read(bytes)));
    if (!bytes || own === undefined) continue;
    accepted += 1;
    const [said, other] = [as(own), await theirs(bytes)].map((one) => JSON.stringify(one));
    if (said !== other) apart.push(`${i}: ours ${said}, theirs ${other}: ${toHex(bytes)}`);
  }
  return { accepted, apart };
}
