import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const notificationTexts = defineTexts<typeof en>(
  'notifications',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
