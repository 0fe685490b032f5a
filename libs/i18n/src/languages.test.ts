import fc from 'fast-check';
import { firstLanguage, LANGUAGE_NAMES, LANGUAGES, localeOf } from './languages.ts';

describe('firstLanguage', () => {
  it('is the visitor’s choice, whatever the browser prefers', () => {
    for (const language of LANGUAGES) expect(firstLanguage(language, ['en-US', 'ta'])).toBe(language);
  });

  it('is the browser’s first supported language, in any region', () => {
    expect(firstLanguage(null, ['fr-FR', 'mr-IN', 'hi'])).toBe('mr');
    expect(firstLanguage(null, ['TA-in'])).toBe('ta');
  });

  it('is English otherwise, whatever the storage or the browser contains', () => {
    expect(firstLanguage(null, [])).toBe('en');
    fc.assert(
      fc.property(fc.option(fc.string()), fc.array(fc.string()), (stored, preferred) => {
        expect(LANGUAGES).toContain(firstLanguage(stored, preferred));
      }),
    );
    expect(firstLanguage('constructor', ['xx', 'hindi'])).toBe('en');
  });
});

describe('every language', () => {
  it.each(LANGUAGES)('%s has a name in its own script, Indian grouping, and Latin digits', (language) => {
    expect(LANGUAGE_NAMES[language]).not.toBe('');
    expect(new Intl.NumberFormat(localeOf(language)).format(12_34_567.5)).toBe('12,34,567.5');
    const date = new Intl.DateTimeFormat(localeOf(language), {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    });
    expect(date.format(new Date('2026-11-20T12:00:00Z'))).toMatch(/20.*2026|2026.*20/);
  });
});
