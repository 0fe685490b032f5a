import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const securityTexts = defineTexts<typeof en>(
  'admin-security',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
