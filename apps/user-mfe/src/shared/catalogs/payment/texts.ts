import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const paymentTexts = defineTexts<typeof en>(
  'payment',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
