import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const excludedTexts = defineTexts<typeof en>(
  'excluded',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
