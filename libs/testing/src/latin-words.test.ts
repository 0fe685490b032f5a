import { untranslatedWords } from './latin-words.ts';

describe('untranslatedWords', () => {
  it('finds Latin words in a text of another script', () => {
    expect(untranslatedWords('अंतिम PDF open करें')).toEqual(['open']);
    expect(untranslatedWords('Document code')).toEqual(['Document', 'code']);
  });

  it('ignores words that are in Latin letters in every language', () => {
    expect(untranslatedWords('Karaar: OTP भेजें, 50 MB तक, ₹1,00,000')).toEqual([]);
    expect(untranslatedWords('हस्ताक्षर · 21 / 11')).toEqual([]);
  });
});
