import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/**
 * The texts of the services' codes, and of their form fields (`field_…`). Readers of English get the
 * services' own texts (spec §8), readers of other languages these.
 */
export const errorTexts = defineTexts<typeof en>(
  'errors',
  (language) =>
    import(/* webpackChunkName: "errors-[request]" */ `./texts/${language}.json`, { with: { type: 'json' } }),
);

/** Every code and field with a text. */
export type ErrorKey = keyof typeof en;
