import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** The texts of the parts; the shell loads them before the first render. */
export const uiTexts = defineTexts<typeof en>(
  'ui',
  (language) =>
    import(/* webpackChunkName: "texts-[request]" */ `./texts/${language}.json`, { with: { type: 'json' } }),
);
