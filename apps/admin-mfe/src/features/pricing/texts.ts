import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const pricingTexts = defineTexts<typeof en>(
  'admin-pricing',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
