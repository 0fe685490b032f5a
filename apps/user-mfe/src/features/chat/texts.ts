import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const chatTexts = defineTexts<typeof en>(
  'chat',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
