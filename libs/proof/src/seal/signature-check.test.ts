import { sha256 } from '@noble/hashes/sha2.js';
import {
  attributesOf,
  certificateBody,
  DATA,
  digestNode,
  newKeys,
  pssNode,
  signed,
  signedData,
  type Hash,
} from '../differential/authority.ts';
import { bits, encode, int, nothing, oid, positive, seq, tagged } from '../differential/encode.ts';
import { readSignature } from './cms.ts';
import { readDer } from './der.ts';
import { isSignedBy } from './signature-check.ts';

const CONTENT = Uint8Array.of(1, 2, 3);

async function sealNaming(digest: Hash, by: Hash): Promise<Uint8Array> {
  const named = { name: 'Sealer', serial: 2, keys: await newKeys('P-256', by) };
  const certificate = encode(await signed(certificateBody('seal', named), named.keys));
  const party = { ...named, certificate };
  const attributes = attributesOf(DATA, CONTENT, party, 'SHA-256');
  return encode(await signedData(attributes, { by: party, contentType: DATA, digest: digestNode(digest) }));
}

it('a seal names one hash, for the file and for the signature', async () => {
  const verdict = async (digest: Hash, by: Hash) =>
    readSignature(await sealNaming(digest, by)).verify(sha256(CONTENT));
  expect(await verdict('SHA-256', 'SHA-256')).toMatchObject({ signature: true });
  await expect(verdict('SHA-512', 'SHA-256')).rejects.toThrow(RangeError);
  expect(await verdict('SHA-512', 'SHA-512')).toMatchObject({ signature: false });
});

it.each([0, 4, 512, 1_024])(
  'a key of %d bits is too short for a hash and a salt of 64 bytes each',
  async (size) => {
    const modulus = new Uint8Array(Math.max(1, Math.ceil(size / 8))).fill(
      size === 0 ? 0 : size === 4 ? 0x0f : 0xcb,
    );
    const key = bits(encode(seq(positive(modulus), int(65_537))));
    const spki = readDer(encode(seq(seq(oid('1.2.840.113549.1.1.1'), nothing), key)));
    const algorithm = readDer(encode(pssNode({ hash: 'SHA-512', mask: 'SHA-512', salt: 64 })));
    const signature = new Uint8Array(modulus.length);
    expect(await isSignedBy(spki, { algorithm, data: CONTENT, signature })).toBe(false);
  },
);

it('parameters of RSASSA-PSS that the library cannot write are refused', async () => {
  const key = bits(encode(seq(positive(new Uint8Array(128).fill(0xcb)), int(65_537))));
  const spki = readDer(encode(seq(seq(oid('1.2.840.113549.1.1.1'), nothing), key)));
  const emptyTime = { tag: 0x17, value: new Uint8Array() };
  const hash = tagged(0, seq(oid('2.16.840.1.101.3.4.2.1'), emptyTime));
  const algorithm = readDer(encode(seq(oid('1.2.840.113549.1.1.10'), seq(hash))));
  const claim = { algorithm, data: CONTENT, signature: new Uint8Array(128) };
  await expect(isSignedBy(spki, claim)).rejects.toThrow(RangeError);
});
