/**
 * Compares our readers with OpenSSL: each pair of hashes, variations of the RSASSA-PSS parameters, and
 * changed certificates, seals, timestamps, lists and OCSP answers. OpenSSL must accept everything that ours
 * accept.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { readSignature } from '../seal/cms.ts';
import {
  AT,
  attributesOf,
  certificateBody,
  DATA,
  digestNode,
  EVERY_KIND,
  HASHES,
  newKeys,
  pssNode,
  saidBy,
  signed,
  signedData,
  type Hash,
  type Kind,
  type Party,
} from './authority.ts';
import { CHAINS, issuedChain, newMade } from './testing/chains.ts';
import { testChanged } from './testing/changed.ts';
import { encode, int, nothing, oid, seq, tagged, type Node } from './encode.ts';
import { openssl } from './openssl-reader.ts';
import { CONTENT } from './subjects.ts';

jest.setTimeout(240_000);

let dir: string;
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'karaar-openssl-'))));
afterAll(() => rm(dir, { recursive: true }));

/**
 * Verifies a signature with its content inside by our reader and by OpenSSL.
 * @returns [ours, OpenSSL's]
 */
async function verdicts(by: Party, said: Node, digest: Hash): Promise<[boolean, boolean]> {
  const bytes = encode(
    await signedData(attributesOf(DATA, CONTENT, by, digest), {
      by,
      contentType: DATA,
      content: CONTENT,
      digest: digestNode(digest),
      said,
    }),
  );
  const { signature } = await openssl(dir, {
    root: by.certificate,
    leaf: by.certificate,
    content: CONTENT,
    at: AT,
  });
  return [await holds(bytes), (await signature(bytes, false)) === true];
}

async function holds(bytes: Uint8Array): Promise<boolean> {
  try {
    const { signature, boundToCertificate } = await readSignature(bytes).verify();
    return signature && boundToCertificate;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

async function signerBy(kind: Kind, hash: Hash, salt?: number): Promise<Party> {
  const named = { name: 'Sealer', serial: 2, keys: await newKeys(kind, hash, salt) };
  return { ...named, certificate: encode(await signed(certificateBody('seal', named), named.keys)) };
}

it.each(EVERY_KIND)(
  'with %s keys the digest and the signature must name the hash that was used',
  async (kind) => {
    for (const used of HASHES) {
      const by = await signerBy(kind, used);
      for (const digest of HASHES) {
        for (const named of HASHES) {
          const [ours, theirs] = await verdicts(by, saidBy(kind, named), digest);
          const isOne = used === digest && digest === named;
          expect({ used, digest, named, ours }).toEqual({ used, digest, named, ours: isOne });
          // OpenSSL ignores the hash in the names of PKCS #1 v1.5 and ECDSA.
          if (isOne || kind === 'RSASSA-PSS')
            expect({ used, digest, named, theirs }).toEqual({ used, digest, named, theirs: isOne });
        }
      }
    }
  },
);

describe('parameters of RSASSA-PSS', () => {
  const usual = { hash: 'SHA-256', mask: 'SHA-256', salt: 32 } as const;
  const { salt: _salt, ...withoutSalt } = usual;
  const negative = tagged(2, { tag: 0x02, value: Uint8Array.of(0xff) });
  const two = tagged(2, int(32), int(32));
  const withNull = seq(...digestNode('SHA-256').children, nothing);
  const withMore = seq(...digestNode('SHA-256').children, nothing, nothing);
  const masked = (hash: Node) => tagged(1, seq(oid('1.2.840.113549.1.1.8'), hash));

  // [title, used salt, stated parameters, our verdict, OpenSSL's]
  it.each<[string, number, Node, boolean, boolean]>([
    ['a salt as long as the hash', 32, pssNode(usual), true, true],
    ['no salt', 0, pssNode({ ...usual, salt: 0 }), true, true],
    ['a salt of one byte', 1, pssNode({ ...usual, salt: 1 }), true, true],
    ['a salt of 20 bytes, which is left out', 20, pssNode(withoutSalt), true, true],
    ['a salt of 128 bytes', 128, pssNode({ ...usual, salt: 128 }), true, true],
    ['the longest salt, 222 bytes', 222, pssNode({ ...usual, salt: 222 }), true, true],
    [
      'NULL behind the hashes',
      32,
      pssNode({}, tagged(0, withNull), masked(withNull), tagged(2, int(32))),
      true,
      true,
    ],
    ['another salt than was used', 32, pssNode({ ...usual, salt: 33 }), false, false],
    ['a salt that has no room', 32, pssNode({ ...usual, salt: 223 }), false, false],
    ['a salt longer than any key', 32, pssNode({ ...usual, salt: 0xffff_ffff }), false, false],
    ['a negative salt', 32, pssNode(withoutSalt, negative), false, false],
    ['two salts in one place', 32, pssNode(withoutSalt, two), false, false],
    ['another trailer', 32, pssNode(usual, tagged(3, int(2))), false, false],
    ['an unknown parameter', 32, pssNode(usual, tagged(4, int(1))), false, false],
    ['SHA-1 for the mask, which is left out', 32, pssNode({ hash: 'SHA-256', salt: 32 }), false, false],
    ['SHA-1 for the hash, which is left out', 32, pssNode({ mask: 'SHA-256', salt: 32 }), false, false],
    ['another hash for the mask', 32, pssNode({ ...usual, mask: 'SHA-512' }), false, false],
    ['no parameters', 32, seq(oid('1.2.840.113549.1.1.10')), false, false],
    ['NULL for parameters', 32, seq(oid('1.2.840.113549.1.1.10'), nothing), false, false],
    // OpenSSL accepts these, but DER omits default values (X.690 §11.5), and RFC 4055 has no third value.
    ['a salt of 20 bytes that is written', 20, pssNode({ ...usual, salt: 20 }), false, true],
    ['the usual trailer that is written', 32, pssNode(usual, tagged(3, int(1))), false, true],
    [
      'a hash with more behind its parameters',
      32,
      pssNode({}, tagged(0, withMore), masked(digestNode('SHA-256')), tagged(2, int(32))),
      false,
      false,
    ],
  ])('%s', async (_how, salt, said, ours, theirs) => {
    expect(await verdicts(await signerBy('RSASSA-PSS', 'SHA-256', salt), said, 'SHA-256')).toEqual([
      ours,
      theirs,
    ]);
  });
});

describe('a chain with', () => {
  let made: Awaited<ReturnType<typeof newMade>>;
  beforeAll(async () => void (made = await newMade()));

  it.each(CHAINS)('%s', async (_how, links, _ours, theirs) => {
    const [root = CONTENT, ...others] = await issuedChain(links(made));
    const leaf = others.pop() ?? root;
    const { certificate } = await openssl(dir, { root, leaf, others, content: CONTENT, at: AT });
    expect((await certificate(leaf)) === true).toBe(theirs);
  });
});

testChanged({
  each: 150,
  as: () => true,
  readerOf: async ({ root, sealer }, kind) => {
    const given = { root: root.certificate, leaf: sealer.certificate, content: CONTENT, at: AT };
    const { signature, ...reader } = await openssl(dir, given);
    // `openssl ts` does not support RSASSA-PSS, so it checks only the signature.
    if (kind === 'RSASSA-PSS') reader.timestamp = (bytes) => signature(bytes, false);
    return { ...reader, seal: (bytes) => signature(bytes, true) };
  },
});
