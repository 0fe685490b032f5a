import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const layoutTexts = defineTexts<typeof en>(
  'layout',
  (language) =>
    import(/* webpackChunkName: "texts-[request]" */ `./texts/${language}.json`, { with: { type: 'json' } }),
);
