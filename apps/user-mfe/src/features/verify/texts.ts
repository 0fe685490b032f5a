import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const verifyTexts = defineTexts<typeof en>(
  'verify',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
