/**
 * Compares our readers with pkijs on changed certificates, seals, timestamps, lists and OCSP answers of each
 * kind of key: pkijs must accept everything that ours accept, and read the same values.
 */
import { jest } from '@jest/globals';
import { AT } from './authority.ts';
import { testChanged } from './testing/changed.ts';
import { answered, holdsSeal, listed, stampedAt, trustedCertificate } from './pkijs-reader.ts';
import { CONTENT } from './subjects.ts';

jest.setTimeout(240_000);

testChanged({
  each: 400,
  readerOf: ({ root: { certificate: issuer }, sealer: { certificate: leaf } }) => ({
    certificate: (bytes) => trustedCertificate(bytes, issuer, AT),
    seal: async (bytes) => (await holdsSeal(bytes, CONTENT)) || undefined,
    timestamp: (bytes) => stampedAt(bytes, CONTENT),
    list: (bytes) => listed(bytes, { issuer, leaf, at: AT }),
    answer: (bytes) => answered(bytes, { issuer, leaf, at: AT }),
  }),
});
