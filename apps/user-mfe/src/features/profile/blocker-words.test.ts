import { blockerCodes, type DeletionBlocker } from '@karaar/contracts/auth/deletion-blocker';
import { startLanguage } from '@karaar/i18n';
import { blockerMessage } from './blocker-words.ts';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await profileTexts.load();
});

const words = (blocker: Omit<DeletionBlocker, 'text'>) => {
  const message = blockerMessage({ ...blocker, text: 'In English.' });
  return message && profileTexts.say(message);
};

describe('the reasons against deleting an account', () => {
  it('name agreements and amounts', () => {
    const code = 'unfinished_agreements';
    expect(words({ code, names: ['Rent', 'Loan {1}'], more: 0 })).toBe(
      'These agreements are not finished: “Rent”, “Loan {1}”. Finalize, cancel or reject them, or withdraw from them first.',
    );
    expect(words({ code, names: ['A', 'B', 'C'], more: 4 })).toContain('“A”, “B”, “C” and 4 more.');
    expect(words({ code: 'wallet_not_empty', amount: 5 })).toContain('₹5.00');
  });

  it('are in the language of the reader; a reason of a later release is not', async () => {
    await startLanguage('hi');
    for (const code of blockerCodes) expect(words({ code })).toMatch(/\p{Script=Devanagari}/u);
    expect([words({ code: 'on_the_moon' }), words({ code: 'constructor' })]).toEqual([null, null]);
  });
});
