/** The text messages of this service. Both fit one SMS, so that neither takes the provider longer. */
import { textTemplate } from '@karaar/platform/sms';

export const signInCode = textTemplate(
  'sign-in-code',
  ({ code }: { code: string }) =>
    `${code} is your Karaar sign-in code. It works for 5 minutes. Never share it with anyone.`,
  { repeatable: true },
);

export const registerFirst = textTemplate(
  'register-first',
  () =>
    'Someone asked to sign in to Karaar with this number, but it has no account yet. Register in the app first.',
  { repeatable: true },
);

/** Names that MSG91 must have an approved template for. */
export const TEXT_TEMPLATES = ['sign-in-code', 'register-first'];
