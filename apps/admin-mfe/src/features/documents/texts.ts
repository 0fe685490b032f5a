import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const documentsTexts = defineTexts<typeof en>(
  'admin-documents',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
