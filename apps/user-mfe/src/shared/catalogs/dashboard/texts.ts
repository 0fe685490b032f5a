import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const dashboardTexts = defineTexts<typeof en>(
  'dashboard',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
