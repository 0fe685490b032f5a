import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const failedEventsTexts = defineTexts<typeof en>(
  'admin-failed-events',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
