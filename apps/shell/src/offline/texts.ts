import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const offlineTexts = defineTexts<typeof en>(
  'offline',
  (language) =>
    import(/* webpackChunkName: "texts-[request]" */ `./texts/${language}.json`, { with: { type: 'json' } }),
);
