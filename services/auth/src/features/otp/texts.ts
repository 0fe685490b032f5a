/** The text messages of this service. The first two fit one SMS, so that neither takes the provider longer. */
import { textTemplate } from '@karaar/platform/sms';

export const signInCode = textTemplate(
  'sign-in-code',
  ({ code, bound }: { code: string; bound: string }) =>
    `${code} is your Karaar sign-in code. It works for 5 minutes. Never share it with anyone.${bound}`,
  { repeatable: true },
);

/**
 * The last line by which a browser knows whose code it is, and offers to fill it in (WebOTP, iOS autofill).
 * @param host of the web app, without it nothing
 */
export const boundTo = (host: string | undefined, code: string): string =>
  host ? `\n\n@${host} #${code}` : '';

export const registerFirst = textTemplate(
  'register-first',
  () =>
    'Someone asked to sign in to Karaar with this number, but it has no account yet. Register in the app first.',
  { repeatable: true },
);

export const changePhoneCode = textTemplate(
  'change-phone-code',
  ({ code }: { code: string }) =>
    `${code} is your code to use this number with Karaar. It works for 5 minutes. Never share it with anyone.`,
  { repeatable: true },
);

/** To the old number: whoever lost it to somebody else learns of it. */
export const phoneChanged = textTemplate(
  'phone-changed',
  () =>
    'Your Karaar account now uses another phone number. If this was not you, contact Karaar support at once.',
  { repeatable: false },
);

/** Names that MSG91 must have an approved template for. */
export const TEXT_TEMPLATES = ['sign-in-code', 'register-first', 'change-phone-code', 'phone-changed'];
