import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const remoteTexts = defineTexts<typeof en>(
  'remotes',
  (language) =>
    import(/* webpackChunkName: "texts-[request]" */ `./texts/${language}.json`, { with: { type: 'json' } }),
);
