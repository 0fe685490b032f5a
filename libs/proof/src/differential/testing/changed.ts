import { EVERY_KIND, type Kind } from '../authority.ts';
import {
  answers,
  certificates,
  compare,
  lists,
  partiesBy,
  seals,
  timestamps,
  type Parties,
  type Subject,
} from '../subjects.ts';

/** KARAAR_SEED=… makes other changes. */
const SEED = Number(process.env['KARAAR_SEED'] ?? 20_261_123);

/** Another reader for the values of these parties; its functions return undefined for a refusal. */
export type OtherReader = Record<
  'certificate' | 'seal' | 'timestamp' | 'list' | 'answer',
  (bytes: Uint8Array) => Promise<unknown>
>;

type Comparison = {
  /** Changes per subject; `npm run security` makes 2,000, which are 10,000 over all kinds of keys. */
  each: number;
  readerOf: (parties: Parties, kind: Kind) => OtherReader | Promise<OtherReader>;
  /** Converts our result to the other reader's result. */
  as?: (own: unknown) => unknown;
};

/**
 * Tests that a second implementation accepts every changed input that ours accepts, and reads the same
 * values.
 */
export function testChanged({ each: usual, readerOf, as = (own) => own }: Comparison): void {
  const each = Number(process.env['KARAAR_EACH'] ?? usual);

  describe.each(EVERY_KIND)('changed, with %s keys', (kind) => {
    let parties: Parties;
    beforeAll(async () => void (parties = await partiesBy(kind)));

    async function agree<T>(
      reads: keyof OtherReader,
      subject: Subject<T>,
      { by = parties, atLeast = each / 100 } = {},
    ) {
      const theirs = (await readerOf(by, kind))[reads];
      const whole = await subject.read(subject.whole);
      expect(whole).toBeDefined();
      expect(await theirs(subject.whole)).toEqual(as(whole));
      const { accepted, apart } = await compare(subject, theirs, { seed: SEED, each, as });
      expect(apart.slice(0, 5)).toEqual([]);
      expect(accepted).toBeGreaterThan(atLeast);
    }

    it('certificates', () => agree('certificate', certificates(parties), { atLeast: each / 50 }));

    it('seals', async () => {
      const by = await partiesBy(kind, 'SHA-256');
      await agree('seal', await seals(by), { by });
    });

    it('timestamps', async () => agree('timestamp', await timestamps(parties)));

    it.each([true, false])('lists that contain the certificate: %s', async (isIn) =>
      agree('list', await lists(parties, isIn)),
    );

    it.each([true, false])('OCSP answers, revoked: %s', async (isRevoked) =>
      agree('answer', await answers(parties, isRevoked)),
    );
  });
}
