import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** The texts of several screens. */
export const sharedTexts = defineTexts<typeof en>(
  'shared',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
