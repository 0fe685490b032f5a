import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const authTexts = defineTexts<typeof en>(
  'auth',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
