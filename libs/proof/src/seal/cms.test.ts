import { sha256 } from '@noble/hashes/sha2.js';
import { DATA, signedData } from '../differential/authority.ts';
import { encode, octets, oid, seq, set, tagged, type Node } from '../differential/encode.ts';
import { partiesBy, type Parties } from '../differential/subjects.ts';
import { readCertificate } from './certificate.ts';
import { readSignature } from './cms.ts';

const CONTENT = Uint8Array.of(1, 2, 3);
let parties: Parties;
beforeAll(async () => void (parties = await partiesBy('P-256')));

async function naming(certificates: readonly Uint8Array[], ...more: Node[]) {
  const { sealer } = parties;
  const ids = certificates.map((one) => seq(octets(sha256(one))));
  const attributes = tagged(
    0,
    seq(oid('1.2.840.113549.1.9.3'), set(oid(DATA))),
    seq(oid('1.2.840.113549.1.9.4'), set(octets(sha256(CONTENT)))),
    seq(oid('1.2.840.113549.1.9.16.2.47'), set(seq(seq(...ids), ...more))),
  );
  return readSignature(encode(await signedData(attributes, { by: sealer, contentType: DATA })));
}

it('a signature may name only certificates of its chain', async () => {
  const { root, sealer, stamper } = parties;
  const chain = [sealer, root].map(({ certificate }) => readCertificate(certificate));
  const verdict = async (...named: (typeof root)[]) => {
    const seal = await naming(named.map(({ certificate }) => certificate));
    const { signature, boundToCertificate, allows } = await seal.verify(sha256(CONTENT));
    return [signature, boundToCertificate, allows(chain)];
  };
  expect(await verdict(sealer)).toEqual([true, true, true]);
  expect(await verdict(sealer, root)).toEqual([true, true, true]);
  expect(await verdict(sealer, stamper)).toEqual([true, true, false]);
  expect(await verdict(sealer, sealer)).toEqual([true, true, false]);
  expect(await verdict(root, sealer)).toEqual([true, false, false]);
  expect(await verdict()).toEqual([true, false, true]);
});

it('policies may follow the named certificates', async () => {
  const own = [parties.sealer.certificate];
  const policy = await naming(own, seq(seq(oid('1.2.3.4'))));
  expect(await policy.verify(sha256(CONTENT))).toMatchObject({ boundToCertificate: true });
  const other = await naming(own, seq(seq(octets(CONTENT))));
  await expect(other.verify(sha256(CONTENT))).rejects.toThrow(RangeError);
});
