import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const profileTexts = defineTexts<typeof en>(
  'profile',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
