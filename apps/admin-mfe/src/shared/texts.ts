import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** The texts of all admin lists. */
export const sharedTexts = defineTexts<typeof en>(
  'admin-shared',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
