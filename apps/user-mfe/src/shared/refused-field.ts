import { ApiError } from '@karaar/api-client';

const FIELDS = { phone_taken: 'phone_no', email_taken: 'email', otp_wrong: 'otp' } as const;

const isKnown = (code: string | undefined): code is keyof typeof FIELDS =>
  code !== undefined && code in FIELDS;

/** Returns the field that a refusal is about, which then shows it; undefined if it is about no field. */
export function refusedField(error: unknown): (typeof FIELDS)[keyof typeof FIELDS] | undefined {
  const code = error instanceof ApiError ? error.code : undefined;
  return isKnown(code) ? FIELDS[code] : undefined;
}
