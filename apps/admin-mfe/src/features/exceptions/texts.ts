import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const exceptionsTexts = defineTexts<typeof en>(
  'admin-exceptions',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
