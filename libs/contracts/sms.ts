import { Type } from 'typebox';

/** Why an SMS did not arrive, as the carrier reported it; `undelivered` for any other reason. */
export const SMS_FAILURES = ['unreachable', 'unknown_number', 'blocked', 'undelivered'] as const;
export const SmsFailure = Type.Enum([...SMS_FAILURES]);
export type SmsFailure = (typeof SMS_FAILURES)[number];
