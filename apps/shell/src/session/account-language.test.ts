import { LANGUAGES } from '@karaar/i18n';
import fc from 'fast-check';
import { reconcile } from './account-language.ts';

const language = fc.constantFrom(...LANGUAGES);

describe('reconcile', () => {
  it('a choice on this page counts most, then the account, then the browser', () => {
    expect(reconcile({ chosen: 'ta', account: 'hi', page: 'ta' })).toEqual({ speak: 'ta', save: true });
    expect(reconcile({ chosen: null, account: 'hi', page: 'en' })).toEqual({ speak: 'hi', save: false });
    expect(reconcile({ chosen: null, account: null, page: 'mr' })).toEqual({ speak: 'mr', save: true });
  });

  it('comes to rest: after what it asks for is done it asks for nothing', () => {
    fc.assert(
      fc.property(fc.option(language), fc.option(language), language, (chosen, account, page) => {
        const { speak } = reconcile({ chosen, account, page });
        expect(reconcile({ chosen, account: speak, page: speak })).toEqual({ speak, save: false });
      }),
    );
  });
});
