import { wordsOf } from './findings.ts';
import { verifyTexts } from './texts.ts';

beforeAll(() => verifyTexts.load());

describe('the words of a check', () => {
  it('[FINAL-037] differ by what was found', () => {
    for (const name of [
      'file',
      'coverage',
      'signature',
      'certificate',
      'logged',
      'checkpoint',
      'cosigned',
    ] as const) {
      const [good, bad] = [true, false].map((ok) => wordsOf({ name, ok, detail: '' }));
      expect(good?.title).toBe(name);
      expect(good?.finding).toBe(`${name}Ok`);
      expect(bad?.finding).toBe(`${name}Bad`);
    }
    expect(verifyTexts.say('signatureOk')).not.toBe(verifyTexts.say('signatureBad'));
  });
});
