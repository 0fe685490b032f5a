/**
 * Our own readers against pkijs, by 10,000 changed certificates, seals and timestamps, and as many lists and answers: what ours accepts,
 * pkijs accepts, and reads the same in it. Half of them are signed again after the change, so that only the reading decides.
 */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { jest } from '@jest/globals';
import { toHex } from '../bytes.ts';
import { allowsUsage, chainTo, purposes, readCertificate, type Certificate } from '../seal/certificate.ts';
import { readSignature } from '../seal/cms.ts';
import { readDer } from '../seal/der.ts';
import { revocationState } from '../seal/revocation.ts';
import { verifyTimestamp } from '../seal/timestamp.ts';
import {
  answerBody,
  AT,
  attributesOf,
  certificateBody,
  DATA,
  listBody,
  newKeys,
  ocspAnswer,
  signed,
  signedData,
  timestampInfo,
  TST_INFO,
  type Kind,
  type Party,
} from './authority.ts';
import { encode, nodeOf, type Node } from './encode.ts';
import { chanceOf, mutated, type Chance } from './mutate.ts';
import { answered, EVERY_BIT, holdsSeal, listed, stampedAt, trustedCertificate } from './pkijs-reader.ts';

jest.setTimeout(240_000);

/** Another one shows other changes: KARAAR_SEED=… */
const SEED = Number(process.env['KARAAR_SEED'] ?? 20_261_123);
/** More than 10,000 with the three kinds of them. `npm run security` makes 10,000 of each. */
const EACH = Number(process.env['KARAAR_EACH'] ?? 3_400);
const CONTENT = new TextEncoder().encode('the bytes of a document');

let root: Party;
let sealer: Party;
let stamper: Party;
let trusted: Certificate;

beforeAll(async () => {
  const rootKeys = await newKeys();
  const party = async (what: 'root' | 'seal' | 'stamp', name: string, serial: number): Promise<Party> => {
    const keys = what === 'root' ? rootKeys : await newKeys();
    const body = certificateBody(what, { name, serial, keys });
    return { name, serial, keys, certificate: encode(await signed(body, rootKeys)) };
  };
  root = await party('root', 'Root', 1);
  sealer = await party('seal', 'Sealer', 2);
  stamper = await party('stamp', 'Stamper', 3);
  trusted = readCertificate(root.certificate);
});

/** What ours says; undefined for a refusal. Anything but a RangeError is a fault of its own. */
async function ours<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A value after the changes; undefined where they left no DER to put into another value. */
function changedNode(node: Node, chance: Chance): Node | undefined {
  try {
    return nodeOf(readDer(mutated(encode(node), chance)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Makes changed values, asks both, and compares.
 * @param make gives one, or undefined where the change left nothing to sign
 * @returns how many ours accepted, so that a reader that refuses all is noticed
 */
async function compare<T>(
  make: (chance: Chance) => Promise<Uint8Array | undefined>,
  read: (bytes: Uint8Array) => Promise<T | undefined>,
  theirs: (bytes: Uint8Array) => Promise<T | undefined>,
): Promise<number> {
  let accepted = 0;
  const apart: string[] = [];
  for (let i = 0; i < EACH; i += 1) {
    const bytes = await make(chanceOf(SEED + i));
    if (!bytes) continue;
    const own = await ours(() => read(bytes));
    if (own === undefined) continue;
    accepted += 1;
    const other = await theirs(bytes);
    if (JSON.stringify(other) !== JSON.stringify(own))
      apart.push(`${i}: ours ${JSON.stringify(own)}, pkijs ${JSON.stringify(other)}: ${toHex(bytes)}`);
  }
  expect(apart.slice(0, 5)).toEqual([]);
  return accepted;
}

it.each<Kind>(['ECDSA', 'RSA', 'RSASSA-PSS'])('certificates by %s', async (kind) => {
  const keys = kind === 'ECDSA' ? root.keys : await newKeys(kind);
  // Ours refuses whatever its own key has signed, by any name; pkijs only where both names are the same.
  const { spki } = await newKeys(kind);
  const issue = async (body: Node, said?: Node) => encode(await signed(body, keys, said));
  const issuer = await issue(certificateBody('root', { name: 'Root', serial: 1, keys }));
  const body = certificateBody('stamp', { name: 'Stamper', serial: 3, keys: { ...keys, spki } });
  const whole = await issue(body);
  const roots = [readCertificate(issuer)];
  const read = async (bytes: Uint8Array) => {
    const certificate = readCertificate(bytes);
    const chain = await chainTo(certificate, { roots, others: [], at: AT });
    return (
      chain && {
        from: certificate.notBefore.getTime(),
        until: certificate.notAfter.getTime(),
        serial: toHex(certificate.serial),
        purposes: purposes(certificate) ?? [],
        usage: EVERY_BIT.filter((bit) => allowsUsage(certificate, bit)),
      }
    );
  };
  const theirs = (bytes: Uint8Array) => trustedCertificate(bytes, issuer, AT);
  expect(await read(whole)).toMatchObject({ serial: '03' });
  expect(await read(whole)).toEqual(await theirs(whole));
  const accepted = await compare(
    async (chance) => {
      if (chance(3) === 0) return mutated(whole, chance);
      if (chance(2) === 0) {
        const changed = changedNode(body, chance);
        return changed && issue(changed);
      }
      // How it is signed stands in it twice; changed in one place alone it is refused for that.
      const said = changedNode(keys.said, chance);
      return (
        said &&
        issue(certificateBody('stamp', { name: 'Stamper', serial: 3, keys: { ...keys, spki, said } }), said)
      );
    },
    read,
    theirs,
  );
  expect(accepted).toBeGreaterThan(EACH / 50);
});

it('seals', async () => {
  const read = async (bytes: Uint8Array) => {
    const seal = readSignature(bytes);
    const { signature, boundToCertificate } = await seal.verify(sha256(CONTENT));
    return signature && boundToCertificate ? true : undefined;
  };
  const theirs = async (bytes: Uint8Array) => (await holdsSeal(bytes, CONTENT)) || undefined;
  const attributes = attributesOf(DATA, CONTENT, sealer);
  const whole = encode(await signedData(attributes, { by: sealer, contentType: DATA }));
  expect([await read(whole), await theirs(whole)]).toEqual([true, true]);
  const accepted = await compare(
    async (chance) => {
      if (chance(2) === 0) return mutated(whole, chance);
      const changed = changedNode(attributes, chance);
      return changed && encode(await signedData(changed, { by: sealer, contentType: DATA }));
    },
    read,
    theirs,
  );
  expect(accepted).toBeGreaterThan(EACH / 100);
});

it('timestamps', async () => {
  const read = async (bytes: Uint8Array) => {
    const { ok, time } = await verifyTimestamp(readDer(bytes), CONTENT, [trusted]);
    return ok ? time.getTime() : undefined;
  };
  const theirs = (bytes: Uint8Array) => stampedAt(bytes, CONTENT);
  const tokenOf = async (info: Node, change?: (attributes: Node) => Node | undefined) => {
    const content = encode(info);
    const attributes = attributesOf(TST_INFO, content, stamper);
    const used = change ? change(attributes) : attributes;
    return used && encode(await signedData(used, { by: stamper, contentType: TST_INFO, content }));
  };
  const info = timestampInfo(CONTENT);
  const whole = (await tokenOf(info)) ?? new Uint8Array();
  expect([await read(whole), await theirs(whole)]).toEqual([AT.getTime(), AT.getTime()]);
  const accepted = await compare(
    async (chance) => {
      if (chance(2) === 0) return mutated(whole, chance);
      if (chance(2) === 0) return tokenOf(info, (attributes) => changedNode(attributes, chance));
      const changed = changedNode(info, chance);
      return changed && tokenOf(changed);
    },
    read,
    theirs,
  );
  expect(accepted).toBeGreaterThan(EACH / 100);
});

describe('what tells of revocation', () => {
  const asked = () => ({ issuer: root.certificate, leaf: sealer.certificate, at: AT });
  const state = async (values: { ocsps?: Uint8Array[]; crls?: Uint8Array[] }) => {
    const found = await revocationState(readCertificate(sealer.certificate), trusted, {
      values: { ocsps: [], crls: [], ...values },
      at: AT,
    });
    return found === 'unknown' ? undefined : found === 'revoked';
  };

  it.each([true, false])('lists, the certificate in them: %s', async (isIn) => {
    const body = listBody(isIn ? sealer.serial : 99);
    const whole = encode(await signed(body, root.keys));
    const read = (bytes: Uint8Array) => state({ crls: [bytes] });
    const theirs = (bytes: Uint8Array) => listed(bytes, asked());
    expect([await read(whole), await theirs(whole)]).toEqual([isIn, isIn]);
    const accepted = await compare(
      async (chance) => {
        if (chance(2) === 0) return mutated(whole, chance);
        const changed = changedNode(body, chance);
        return changed && encode(await signed(changed, root.keys));
      },
      read,
      theirs,
    );
    expect(accepted).toBeGreaterThan(EACH / 100);
  });

  it.each([true, false])('OCSP answers, revoked: %s', async (isRevoked) => {
    const body = answerBody(root, { serial: sealer.serial, isRevoked }, sha1);
    const whole = encode(ocspAnswer(await signed(body, root.keys)));
    const read = (bytes: Uint8Array) => state({ ocsps: [bytes] });
    const theirs = (bytes: Uint8Array) => answered(bytes, asked());
    expect([await read(whole), await theirs(whole)]).toEqual([isRevoked, isRevoked]);
    const accepted = await compare(
      async (chance) => {
        if (chance(2) === 0) return mutated(whole, chance);
        const changed = changedNode(body, chance);
        return changed && encode(ocspAnswer(await signed(changed, root.keys)));
      },
      read,
      theirs,
    );
    expect(accepted).toBeGreaterThan(EACH / 100);
  });
});
