import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** The texts of camera and signature pad; loaded with those parts. */
export const captureTexts = defineTexts<typeof en>(
  'capture',
  (language) =>
    import(/* webpackChunkName: "capture-texts-[request]" */ `./texts/${language}.json`, {
      with: { type: 'json' },
    }),
);
