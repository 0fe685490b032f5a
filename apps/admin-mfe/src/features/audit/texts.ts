import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const auditTexts = defineTexts<typeof en>(
  'admin-audit',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
