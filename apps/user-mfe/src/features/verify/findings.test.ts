import { VerificationCheck } from '@karaar/contracts/documents/verify';
import { wordsOf } from './findings.ts';
import { verifyTexts } from './texts.ts';

const CHECKS = VerificationCheck.properties.name.anyOf.map((literal) => literal.const);

beforeAll(() => verifyTexts.load());

describe('the texts of a check', () => {
  it('[FINAL-037] differ by the result', () => {
    for (const name of CHECKS) {
      const [good, bad] = [true, false].map((ok) => wordsOf({ name, ok, detail: '' }));
      const said = [good, bad].map((words) => words && verifyTexts.say(words.finding));
      expect(good?.title).toBe(name);
      expect(verifyTexts.say(name)).not.toBe('');
      expect(new Set(said).size).toBe(2);
      expect(said).not.toContain('');
    }
  });

  it('say that PDF readers do not know an authority of our own', () => {
    const own = (name: 'certificate' | 'file', ok: boolean) =>
      wordsOf({ name, ok, detail: '' }, true).finding;
    expect([own('certificate', true), own('certificate', false), own('file', true)]).toEqual([
      'certificateOwn',
      'certificateBad',
      'fileOk',
    ]);
  });
});
