import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** The texts for reading and verification before an answer. */
export const verificationTexts = defineTexts<typeof en>(
  'verification',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
