import fc from 'fast-check';
import { codeCharacters } from './code.ts';

describe('the join code', () => {
  it('[DOC-080] [DOC-081] is upper-cased and has at most 8 characters', () => {
    expect(codeCharacters('9h4t r2wk99')).toBe('9H4TR2WK');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (typed) => {
        const code = codeCharacters(typed);
        expect(code.length).toBeLessThanOrEqual(8);
        expect(code).toBe(code.toUpperCase());
        expect(codeCharacters(code)).toBe(code);
      }),
    );
  });
});
