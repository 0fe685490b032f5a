import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const paymentsTexts = defineTexts<typeof en>(
  'admin-payments',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
