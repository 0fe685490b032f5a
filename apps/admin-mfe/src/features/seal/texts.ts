import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const sealTexts = defineTexts<typeof en>(
  'admin-seal',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
