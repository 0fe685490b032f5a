import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** The words of the parts themselves; the shell has them before anything is drawn. */
export const uiTexts = defineTexts<typeof en>(
  'ui',
  (language) =>
    import(/* webpackChunkName: "texts-[request]" */ `./texts/${language}.json`, { with: { type: 'json' } }),
);
