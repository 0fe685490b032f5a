import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** What several screens say. */
export const sharedTexts = defineTexts<typeof en>(
  'shared',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
