import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/**
 * The codes of the services in words, and the fields of their forms (`field_…`). The services' own texts are English
 * and are in toasts for readers of English (spec §8); for others the code is worded here.
 */
export const errorTexts = defineTexts<typeof en>(
  'errors',
  (language) =>
    import(/* webpackChunkName: "errors-[request]" */ `./texts/${language}.json`, { with: { type: 'json' } }),
);

/** Every code and field that has words. */
export type ErrorKey = keyof typeof en;
