import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** What every admin list says. */
export const sharedTexts = defineTexts<typeof en>(
  'admin-shared',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
