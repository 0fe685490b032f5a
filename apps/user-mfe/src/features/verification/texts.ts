import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

/** What a party reads and shows before an answer: pages, terms, face, eye and signature. */
export const verificationTexts = defineTexts<typeof en>(
  'verification',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
