/** Forged approvals, by class, are all refused, and the genuine ones are accepted. */
import { createHash } from 'node:crypto';
import { signedStatement, type SignedFacts } from './approval.ts';
import type { Assertion } from './assertion.ts';
import { fromBase64url, toBase64url, toHex, utf8 } from '../bytes.ts';
import type { PasskeyAlgorithm } from './cose.ts';
import { keyEntry, keyHash } from './key-entry.ts';
import { leafHash, nodeHash } from '../log/merkle.ts';
import { verifySignedApproval, type SignedApproval } from './signed-approval.ts';
import { Authenticator, clientData } from '../testing/authenticator.ts';

const SITE = { origin: 'https://karaar.example', rpId: 'karaar.example' };
const ADDED_AT = '2026-11-25T08:00:00.000Z';
const hex = (text: string): string => createHash('sha256').update(text).digest('hex');

const facts = (key: Uint8Array): SignedFacts => ({
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
  person: { user_id: '0190a000-0000-7000-8000-000000000002', char_id: 'QWERTY12', name: 'Asha Rao' },
  approved_at: '2026-11-25T08:05:00.000Z',
  nonce: 'bm9uY2Utbm9uY2Utbm9uY2U',
  key: { sha256: keyHash(key) },
});

/** A tree of two entries; the second one is the enrolment. */
const other = leafHash(utf8('another entry'));
const treeWith = (entry: Uint8Array) => ({ size: 2, root: nodeHash(other, leafHash(entry)) });

type Case = { signed: SignedApproval; device: Authenticator; tree: { size: number; root: Uint8Array } };

function genuine(algorithm: PasskeyAlgorithm = 'ES256'): Case {
  const device = new Authenticator(algorithm);
  const about = facts(device.publicKey);
  const statement = signedStatement(about);
  const entry = keyEntry({
    action: 'added',
    userId: about.person.user_id,
    keySha256: about.key.sha256,
    at: ADDED_AT,
  });
  const signed: SignedApproval = {
    statement,
    public_key: toBase64url(device.publicKey),
    assertion: device.signStatement(statement, SITE),
    enrolled: { at: ADDED_AT, leaf_index: 1, hashes: [toHex(other)] },
  };
  return { signed, device, tree: treeWith(entry) };
}

const verdict = async ({ signed, tree }: Case): Promise<boolean> =>
  verifySignedApproval(signed, { ...SITE, code: 'AB12CD34', tree }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RangeError) return false;
      throw error;
    },
  );

it.each(['ES256', 'RS256', 'EdDSA'] as const)('accepts signatures of %s keys', async (algorithm) => {
  for (let time = 0; time < 20; time += 1) expect(await verdict(genuine(algorithm))).toBe(true);
});

/** Returns the same claim with another, unsigned statement. */
const restated = (change: (about: SignedFacts) => SignedFacts) => (): Case => {
  const made = genuine();
  const statement = signedStatement(change(facts(made.device.publicKey)));
  return { ...made, signed: { ...made.signed, statement } };
};
/** Returns a claim whose own device signed the right statement in another way. */
const answered = (how: Parameters<Authenticator['signStatement']>[1]) => (): Case => {
  const made = genuine();
  return {
    ...made,
    signed: { ...made.signed, assertion: made.device.signStatement(made.signed.statement, how) },
  };
};
const altered =
  (part: keyof Assertion, change: (bytes: Uint8Array) => Uint8Array, algorithm?: PasskeyAlgorithm) =>
  (): Case => {
    const made = genuine(algorithm);
    const bytes = change(fromBase64url(made.signed.assertion[part]));
    const assertion = { ...made.signed.assertion, [part]: toBase64url(bytes) };
    return { ...made, signed: { ...made.signed, assertion } };
  };
const flipped = (at: number) => (bytes: Uint8Array) =>
  bytes.map((byte, i) => (i === at % bytes.length ? byte ^ (1 << (at % 8)) : byte));
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const swap = (change: (made: Case, thief: Case) => Case) => () => change(genuine(), genuine());

const CLASSES: Record<string, (() => Case)[]> = {
  'another document': times(20, (i) =>
    restated((about) => ({
      ...about,
      document:
        i % 2
          ? { ...about.document, code: `AB12CD${10 + i}` }
          : { ...about.document, id: `${about.document.id.slice(0, -2)}${10 + i}` },
    })),
  ),
  'another version': times(20, (i) =>
    restated((about) => ({ ...about, document: { ...about.document, version: 4 + i } })),
  ),
  'other files': times(20, (i) =>
    restated((about) => ({
      ...about,
      files: about.files.map((file) => ({ ...file, pages_sha256: hex(`${i}`) })),
    })),
  ),
  'other terms': times(20, (i) =>
    restated((about) => ({ ...about, terms: { ...about.terms, description: `भाड़ा ${i}` } })),
  ),
  'another person': times(20, (i) =>
    restated((about) => ({
      ...about,
      person: { ...about.person, user_id: `0190a000-0000-7000-8000-0000000001${10 + i}` },
    })),
  ),
  'another role': times(1, () => restated((about) => ({ ...about, role: 'primary' }))),
  'another time': times(20, (i) =>
    restated((about) => ({ ...about, approved_at: `2026-11-25T08:05:00.0${10 + i}Z` })),
  ),
  'another nonce': times(20, (i) => restated((about) => ({ ...about, nonce: `${about.nonce}${i}` }))),
  'another key in the statement': times(20, (i) =>
    restated((about) => ({ ...about, key: { sha256: hex(`key ${i}`) } })),
  ),
  'the key of somebody else': times(20, () =>
    swap((made, thief) => ({ ...made, signed: { ...made.signed, public_key: thief.signed.public_key } })),
  ),
  'a signature by somebody else': times(20, () =>
    swap((made, thief) => ({
      ...made,
      signed: { ...made.signed, assertion: thief.device.signStatement(made.signed.statement, SITE) },
    })),
  ),
  'another page': [
    ...times(20, (i) => answered({ ...SITE, origin: `https://karaar${i}.example` })),
    answered({ ...SITE, origin: 'http://karaar.example' }),
    answered({ ...SITE, origin: 'https://karaar.example:8443' }),
    answered({ ...SITE, crossOrigin: true }),
  ],
  'another site': times(20, (i) => answered({ ...SITE, rpId: `${i}.karaar.example` })),
  'another act': ['webauthn.create', 'payment.get', '', 'webauthn.GET'].map((type) =>
    answered({ ...SITE, type }),
  ),
  // All flags except the valid ones: present and verified, optionally eligible, then optionally synced.
  flags: times(256, (flags) => flags)
    .filter((flags) => ![0x05, 0x0d, 0x1d].includes(flags))
    .map((flags) => answered({ ...SITE, flags })),
  'a rewritten counter': times(20, (i) =>
    altered('authenticatorData', (data) => data.map((byte, at) => (at === 36 ? byte ^ (i + 1) : byte))),
  ),
  'a flipped bit': (['clientDataJSON', 'authenticatorData', 'signature'] as const).flatMap((part) =>
    times(40, (i) => altered(part, flipped(i * 7))),
  ),
  truncated: (['clientDataJSON', 'authenticatorData', 'signature'] as const).flatMap((part) =>
    times(20, (i) => altered(part, (bytes) => bytes.slice(0, -1 - i))),
  ),
  'bytes behind the end': (['clientDataJSON', 'authenticatorData', 'signature'] as const).flatMap((part) =>
    times(5, (i) => altered(part, (bytes) => Uint8Array.of(...bytes, ...times(i + 1, () => i)))),
  ),
  'extension data that is signed': times(5, (i) => () => {
    const made = genuine();
    const data = Uint8Array.of(
      ...fromBase64url(made.signed.assertion.authenticatorData),
      ...times(i + 1, () => 0xa0),
    );
    const said = fromBase64url(made.signed.assertion.clientDataJSON);
    return { ...made, signed: { ...made.signed, assertion: made.device.signBytes(said, data) } };
  }),
  'another form of DER': [
    // A two-byte length; a zero before r; before s; r and s concatenated as in another encoding.
    altered('signature', (der) => Uint8Array.of(0x30, 0x81, ...der.slice(1))),
    altered('signature', (der) =>
      Uint8Array.of(0x30, (der[1] ?? 0) + 1, 2, (der[3] ?? 0) + 1, 0, ...der.slice(4)),
    ),
    altered('signature', (der) => {
      const at = 4 + (der[3] ?? 0);
      return Uint8Array.of(
        0x30,
        (der[1] ?? 0) + 1,
        ...der.slice(2, at),
        2,
        (der[at + 1] ?? 0) + 1,
        0,
        ...der.slice(at + 2),
      );
    }),
    altered('signature', (der) => der.slice(-64)),
    altered('signature', () => Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0)),
    altered('signature', () => new Uint8Array(0)),
    altered('signature', (raw) => raw.slice(1), 'RS256'),
    altered('signature', (raw) => Uint8Array.of(0, ...raw), 'RS256'),
    altered('signature', (raw) => Uint8Array.of(...raw, 0), 'EdDSA'),
  ],
  'another form of base64': (['clientDataJSON', 'authenticatorData', 'signature'] as const).flatMap((part) =>
    [(text: string) => `${text}=`, (text: string) => ` ${text}`, (text: string) => `${text}+`].map(
      (change) => () => {
        const made = genuine();
        const assertion = { ...made.signed.assertion, [part]: change(made.signed.assertion[part]) };
        return { ...made, signed: { ...made.signed, assertion } };
      },
    ),
  ),
  'another form of the statement': [
    (text: string) => ` ${text}`,
    (text: string) => `${text}\n`,
    (text: string) => JSON.stringify(JSON.parse(text), null, 1),
    (text: string) => text.replace('{', '{"a":1,'),
    (text: string) => text.replace(/"version":3\}$/, '"version":2}'),
    () => '{}',
    () => 'null',
    () => '',
  ].map((change) => () => {
    const made = genuine();
    const statement = change(made.signed.statement);
    // Signed with the right key: only the form is wrong.
    return {
      ...made,
      signed: { ...made.signed, statement, assertion: made.device.signStatement(statement, SITE) },
    };
  }),
  'client data that is not an object': ['null', '[]', '1', '"x"', '{', ''].map((text) => () => {
    const made = genuine();
    const data = fromBase64url(made.signed.assertion.authenticatorData);
    return { ...made, signed: { ...made.signed, assertion: made.device.signBytes(utf8(text), data) } };
  }),
  'another form of the key': [
    (cose: Uint8Array) => Uint8Array.of(...cose, 0),
    (cose: Uint8Array) => cose.slice(0, -1),
    (cose: Uint8Array) => Uint8Array.of(0xbf, ...cose.slice(1), 0xff),
  ].map((change) => () => {
    const made = genuine();
    const publicKey = change(made.device.publicKey);
    const about = { ...facts(made.device.publicKey), key: { sha256: keyHash(publicKey) } };
    const statement = signedStatement(about);
    const at = ADDED_AT;
    const tree = treeWith(
      keyEntry({ action: 'added', userId: about.person.user_id, keySha256: about.key.sha256, at }),
    );
    const assertion = made.device.signStatement(statement, SITE);
    return {
      ...made,
      tree,
      signed: { ...made.signed, statement, assertion, public_key: toBase64url(publicKey) },
    };
  }),
  // An insider replaces the person's key with his own, and everything that he can sign with it.
  'a rewritten enrolment': times(20, () => swap((made, thief) => ({ ...thief, tree: made.tree }))),
  'an enrolment of somebody else': times(20, (i) => () => {
    const made = genuine();
    const keySha256 = keyHash(made.device.publicKey);
    return {
      ...made,
      tree: treeWith(keyEntry({ action: 'added', userId: `somebody ${i}`, keySha256, at: ADDED_AT })),
    };
  }),
  'an enrolment that was a removal, or of another time': [
    () => {
      const made = genuine();
      const entry = {
        action: 'removed' as const,
        userId: facts(made.device.publicKey).person.user_id,
        keySha256: keyHash(made.device.publicKey),
        at: ADDED_AT,
      };
      return { ...made, tree: treeWith(keyEntry(entry)) };
    },
    ...times(10, (i) => () => {
      const made = genuine();
      return {
        ...made,
        signed: {
          ...made.signed,
          enrolled: { ...made.signed.enrolled, at: `2026-11-25T07:59:59.0${10 + i}Z` },
        },
      };
    }),
    () => {
      const made = genuine();
      return { ...made, signed: { ...made.signed, enrolled: { ...made.signed.enrolled, leaf_index: 0 } } };
    },
    () => {
      const made = genuine();
      const at = '2026-11-25T09:00:00.000Z';
      const about = facts(made.device.publicKey);
      const tree = treeWith(
        keyEntry({ action: 'added', userId: about.person.user_id, keySha256: about.key.sha256, at }),
      );
      return { ...made, tree, signed: { ...made.signed, enrolled: { ...made.signed.enrolled, at } } };
    },
  ],
  'a challenge of another statement, in client data': times(10, (i) => () => {
    const made = genuine();
    const said = clientData({
      type: 'webauthn.get',
      challenge: toBase64url(utf8(`challenge ${i}`)),
      origin: SITE.origin,
    });
    const data = fromBase64url(made.signed.assertion.authenticatorData);
    return { ...made, signed: { ...made.signed, assertion: made.device.signBytes(said, data) } };
  }),
};

describe('forgeries', () => {
  it('are at least 500', () => {
    expect(Object.values(CLASSES).flat().length).toBeGreaterThanOrEqual(500);
  });

  it.each(Object.entries(CLASSES))('%s: all refused', async (_, forgeries) => {
    for (const forge of forgeries) expect(await verdict(forge())).toBe(false);
  });
});
