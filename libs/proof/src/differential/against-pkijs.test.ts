/**
 * Our own readers against pkijs, by changed certificates, seals, timestamps, lists and answers of each kind of key: what ours
 * accepts, pkijs accepts, and reads the same in it.
 */
import { jest } from '@jest/globals';
import { AT, EVERY_KIND } from './authority.ts';
import { answered, holdsSeal, listed, stampedAt, trustedCertificate } from './pkijs-reader.ts';
import {
  answers,
  certificates,
  compare,
  CONTENT,
  lists,
  partiesBy,
  seals,
  timestamps,
  type Parties,
  type Subject,
} from './subjects.ts';

jest.setTimeout(240_000);

/** Another one shows other changes: KARAAR_SEED=… */
const SEED = Number(process.env['KARAAR_SEED'] ?? 20_261_123);
/** `npm run security` makes 2,000, which are 10,000 over all kinds of keys. */
const EACH = Number(process.env['KARAAR_EACH'] ?? 400);

describe.each(EVERY_KIND)('by keys of %s', (kind) => {
  let parties: Parties;
  beforeAll(async () => void (parties = await partiesBy(kind)));
  const asked = () => ({ issuer: parties.root.certificate, leaf: parties.sealer.certificate, at: AT });

  async function agree<T>(
    subject: Subject<T>,
    theirs: (bytes: Uint8Array) => Promise<unknown>,
    atLeast: number,
  ) {
    const whole = await subject.read(subject.whole);
    expect(whole).toBeDefined();
    expect(await theirs(subject.whole)).toEqual(whole);
    const { accepted, apart } = await compare(subject, theirs, { seed: SEED, each: EACH });
    expect(apart.slice(0, 5)).toEqual([]);
    expect(accepted).toBeGreaterThan(atLeast);
  }

  it('certificates', async () => {
    const theirs = (bytes: Uint8Array) => trustedCertificate(bytes, parties.root.certificate, AT);
    await agree(certificates(parties), theirs, EACH / 50);
  });

  it('seals', async () => {
    const theirs = async (bytes: Uint8Array) => (await holdsSeal(bytes, CONTENT)) || undefined;
    await agree(await seals(await partiesBy(kind, 'SHA-256')), theirs, EACH / 100);
  });

  it('timestamps', async () => {
    await agree(await timestamps(parties), (bytes) => stampedAt(bytes, CONTENT), EACH / 100);
  });

  it.each([true, false])('lists, the certificate in them: %s', async (isIn) => {
    await agree(await lists(parties, isIn), (bytes) => listed(bytes, asked()), EACH / 100);
  });

  it.each([true, false])('OCSP answers, revoked: %s', async (isRevoked) => {
    await agree(await answers(parties, isRevoked), (bytes) => answered(bytes, asked()), EACH / 100);
  });
});
