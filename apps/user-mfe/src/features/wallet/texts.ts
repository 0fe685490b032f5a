import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const walletTexts = defineTexts<typeof en>(
  'wallet',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
