import { defineTexts } from '@karaar/i18n';
import type en from './texts/en.json';

export const invitationTexts = defineTexts<typeof en>(
  'invitation',
  (language) => import(`./texts/${language}.json`, { with: { type: 'json' } }),
);
