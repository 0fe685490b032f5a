import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** The words inside the entries (fields, tables, files, charts, chat …): a screen that uses one lists them. */
export const partTexts = defineTexts<typeof en>(
  'parts',
  (language) =>
    import(/* webpackChunkName: "part-texts-[request]" */ `./texts/${language}.json`, {
      with: { type: 'json' },
    }),
);
