import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const createTexts = defineTexts<typeof en>(
  'create',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
