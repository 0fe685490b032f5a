import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const reportsTexts = defineTexts<typeof en>(
  'admin-reports',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
