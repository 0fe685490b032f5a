import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const keyWatchTexts = defineTexts<typeof en>(
  'key-watch',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
