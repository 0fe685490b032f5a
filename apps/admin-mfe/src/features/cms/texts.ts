import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const cmsTexts = defineTexts<typeof en>(
  'admin-cms',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
