import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/**
 * The words inside the entries (fields, tables, files, charts, chat …): a screen that uses one lists them. They come
 * in the file of the words that every page has, so that no screen waits for another one.
 */
export const partTexts = defineTexts<typeof en>(
  'parts',
  (language) =>
    import(/* webpackChunkName: "texts-[request]" */ `./texts/${language}.json`, { with: { type: 'json' } }),
);
