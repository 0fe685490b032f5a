import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const layoutTexts = defineTexts<typeof en>(
  'admin-layout',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
