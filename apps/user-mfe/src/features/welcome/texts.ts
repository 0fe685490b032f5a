import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const welcomeTexts = defineTexts<typeof en>(
  'welcome',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
