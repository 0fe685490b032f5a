import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const overviewTexts = defineTexts<typeof en>(
  'admin-overview',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
