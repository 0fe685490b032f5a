/**
 * Forged approvals, generated over every field of the statement and the assertion, are all refused offline.
 */
import { createHash } from 'node:crypto';
import { signedStatement } from './approval.ts';
import { toBase64url, toHex, utf8 } from '../bytes.ts';
import { keyEntry, keyHash } from './key-entry.ts';
import { leafHash, nodeHash } from '../log/merkle.ts';
import { verifySignedApproval, type SignedApproval } from './signed-approval.ts';
import { Authenticator } from '../testing/authenticator.ts';
import { forgeriesOf, otherStatements } from '../testing/forgeries.ts';

const SITE = { origin: 'https://karaar.example', rpId: 'karaar.example' };
const ADDED_AT = '2026-11-25T08:00:00.000Z';
const PERSON = '0190a000-0000-7000-8000-000000000002';
const hex = (text: string): string => createHash('sha256').update(text).digest('hex');
const device = new Authenticator();
const thief = new Authenticator();
const keySha256 = keyHash(device.publicKey);
const statement = signedStatement({
  document: { id: '0190a000-0000-7000-8000-000000000001', code: 'AB12CD34', version: 3 },
  files: [{ name: 'lease.pdf', sha256: hex('file'), bytes: 1_000, pages_sha256: hex('pages') }],
  terms: {
    name: 'Lease',
    location: 'Pune',
    start_date: null,
    end_date: null,
    description: 'भाड़ा',
    page_details: [],
  },
  role: 'party',
  person: { user_id: PERSON, char_id: 'QWERTY12', name: 'Asha Rao' },
  approved_at: '2026-11-25T08:05:00.000Z',
  nonce: 'bm9uY2Utbm9uY2Utbm9uY2U',
  key: { sha256: keySha256 },
});

const other = leafHash(utf8('another entry'));
const entry = leafHash(keyEntry({ action: 'added', userId: PERSON, keySha256, at: ADDED_AT }));
const tree = { size: 2, root: nodeHash(other, entry) };
const genuine: SignedApproval = {
  statement,
  public_key: toBase64url(device.publicKey),
  assertion: device.signStatement(statement, SITE),
  enrolled: { at: ADDED_AT, leaf_index: 1, hashes: [toHex(other)] },
};
const isTaken = (signed: SignedApproval): Promise<boolean> =>
  verifySignedApproval(signed, { ...SITE, code: 'AB12CD34', tree }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RangeError) return false;
      throw error;
    },
  );

it('refuses at least 500 forged assertions and rewritten rows', async () => {
  expect(await isTaken(genuine)).toBe(true);
  const answers = forgeriesOf(statement).map(({ what, forge }) => ({
    what,
    signed: { ...genuine, assertion: forge({ statement, device, thief, site: SITE }) },
  }));
  // An insider stores another statement, key, enrolment or proof with the genuine assertion.
  const rewritten = otherStatements(statement).map(({ path, statement: text }) => ({
    what: `a rewritten ${path}`,
    signed: { ...genuine, statement: text },
  }));
  const enrolments = [
    ...[0, 2, 3, -1, 0.5].map((leaf_index) => ({ leaf_index })),
    ...['2026-11-25T08:00:00.001Z', '2026-11-25T08:00:00Z', ''].map((at) => ({ at })),
    ...[[], [toHex(entry)], [toHex(other), toHex(other)], ['00']].map((hashes) => ({ hashes })),
  ].map((change) => ({
    what: `another enrolment: ${Object.keys(change).join()}`,
    signed: { ...genuine, enrolled: { ...genuine.enrolled, ...change } },
  }));
  const keys = [thief.publicKey, device.publicKey.slice(1), new Uint8Array(0)].map((key) => ({
    what: 'another key',
    signed: { ...genuine, public_key: toBase64url(key) },
  }));
  const all = [...answers, ...rewritten, ...enrolments, ...keys];
  const taken: string[] = [];
  for (const { what, signed } of all) if (await isTaken(signed)) taken.push(what);
  expect(taken).toEqual([]);
  expect(all.length).toBeGreaterThanOrEqual(500);
});
