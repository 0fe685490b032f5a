import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const joinTexts = defineTexts<typeof en>(
  'join',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);

/** Example codes; they belong to no document, because codes have no I, L, O or U. */
export const exampleCodes = ['LOOK1234', 'ILUO5678'] as const;
