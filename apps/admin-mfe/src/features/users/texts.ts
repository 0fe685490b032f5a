import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const usersTexts = defineTexts<typeof en>(
  'admin-users',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
