import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const pageTexts = defineTexts<typeof en>(
  'pages',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
