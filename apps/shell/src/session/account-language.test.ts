import { LANGUAGES } from '@karaar/i18n';
import fc from 'fast-check';
import { reconcile } from './account-language.ts';

const language = fc.constantFrom(...LANGUAGES);

describe('reconcile', () => {
  it('prefers a choice on this page, then the account, then the browser', () => {
    expect(reconcile({ chosen: 'ta', account: 'hi', page: 'ta' })).toEqual({ speak: 'ta', save: true });
    expect(reconcile({ chosen: null, account: 'hi', page: 'en' })).toEqual({ speak: 'hi', save: false });
    expect(reconcile({ chosen: null, account: null, page: 'mr' })).toEqual({ speak: 'mr', save: true });
  });

  it('is stable: applying its result leads to no further change', () => {
    fc.assert(
      fc.property(fc.option(language), fc.option(language), language, (chosen, account, page) => {
        const { speak } = reconcile({ chosen, account, page });
        expect(reconcile({ chosen, account: speak, page: speak })).toEqual({ speak, save: false });
      }),
    );
  });
});
