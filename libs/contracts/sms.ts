import { Type, type Static } from 'typebox';
import { defineRoute, IsoDateTime, Uuid } from './kit.ts';

/** Why an SMS did not arrive, as the carrier reported it; `undelivered` for any other reason. */
export const SMS_FAILURES = ['unreachable', 'unknown_number', 'blocked', 'undelivered'] as const;
export const SmsFailure = Type.Enum([...SMS_FAILURES]);
export type SmsFailure = (typeof SMS_FAILURES)[number];

/** An SMS as its sender sees it. `unconfirmed`: the provider did not answer, so it may have arrived. */
export const SentSms = Type.Object({
  state: Type.Enum(['queued', 'sent', 'unconfirmed', 'delivered', 'failed']),
  cause: Type.Optional(SmsFailure),
  /** When it reached its state. */
  at: IsoDateTime,
});
export type SentSms = Static<typeof SentSms>;

/** Defines the webhooks of a service for reports about its SMS, below `/<path>`. */
export const smsReportRoutes = <const P extends `/${string}`>(path: P) => ({
  twilioReport: defineRoute({
    method: 'POST',
    path: `${path}/:messageId/twilio-webhook`,
    access: 'public',
    summary:
      "Twilio's signed status callbacks; the signature over the address and the form is the credential",
    params: Type.Object({ messageId: Uuid }),
    response: { 200: Type.Object({ received: Type.Boolean() }) },
  }),
  msg91Report: defineRoute({
    method: 'POST',
    path: `${path}/msg91-webhook`,
    access: 'public',
    summary: "MSG91's delivery reports; the signed id that each text was sent with is the credential",
    response: { 200: Type.Object({ received: Type.Boolean() }) },
  }),
});
