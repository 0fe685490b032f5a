import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const cameraTestTexts = defineTexts<typeof en>(
  'camera',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
