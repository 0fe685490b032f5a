import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const loginTexts = defineTexts<typeof en>(
  'admin-login',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
