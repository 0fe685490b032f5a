import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/**
 * The texts of the entries (fields, tables, files, charts, chat …): a screen that uses one lists them. They
 * are in the file of the common texts, so that no screen waits for another file.
 */
export const partTexts = defineTexts<typeof en>(
  'parts',
  (language) =>
    import(/* webpackChunkName: "texts-[request]" */ `./texts/${language}.json`, { with: { type: 'json' } }),
);
