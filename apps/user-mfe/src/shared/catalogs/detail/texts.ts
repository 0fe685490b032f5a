import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const detailTexts = defineTexts<typeof en>(
  'detail',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
