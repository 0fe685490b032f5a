import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const passkeyTexts = defineTexts<typeof en>(
  'admin-passkeys',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
