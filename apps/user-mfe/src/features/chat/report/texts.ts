import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const reportTexts = defineTexts<typeof en>(
  'chat-report',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
