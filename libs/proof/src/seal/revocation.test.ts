/** Revocation lists that OpenSSL refuses, though their issuer has signed them (RFC 5280 §5.2, §5.3). */
import {
  AT,
  identifiersOf,
  listBody,
  named,
  newKeys,
  signed,
  type Extensions,
} from '../differential/authority.ts';
import { encode, enumerated, int, octets, seq, tagged } from '../differential/encode.ts';
import { partiesBy, type Parties } from '../differential/subjects.ts';
import { readCertificate } from './certificate.ts';
import { revocationState } from './revocation.ts';

let parties: Parties;
beforeAll(async () => void (parties = await partiesBy('P-256')));

async function stateBy(more: Extensions, entry?: Extensions): Promise<string> {
  const { root, sealer } = parties;
  const crls = [encode(await signed(listBody(root, 99, more, entry), root.keys))];
  return revocationState(readCertificate(sealer.certificate), readCertificate(root.certificate), {
    values: { ocsps: [], crls },
    at: AT,
  });
}

it('a list of its issuer’s key is believed', async () => {
  expect(await stateBy({})).toBe('good');
});

it('a list of another key with the issuer’s name is not believed', async () => {
  expect(await stateBy(identifiersOf(await newKeys()))).toBe('unknown');
});

it.each([true, false])('a list of changes only proves nothing, critical: %s', async (isCritical) => {
  expect(await stateBy({ '2.5.29.27': [isCritical, int(6)] })).toBe('unknown');
});

it('a list with an unreadable number is not believed', async () => {
  expect(await stateBy({ '2.5.29.20': [false, octets(Uint8Array.of(7))] })).toBe('unknown');
});

it.each<[string, Extensions]>([
  ['another issuer', { '2.5.29.29': [false, seq(tagged(4, named('Other')))] }],
  ['an unreadable reason', { '2.5.29.21': [false, int(1)] }],
])('a list whose entry has %s is not believed', async (_what, entry) => {
  expect(await stateBy({}, { '2.5.29.21': [false, enumerated(1)], ...entry })).toBe('unknown');
});
