/** Twilio's status callbacks. https://www.twilio.com/docs/usage/webhooks/webhooks-security */
import { unauthorized } from '@karaar/base/errors';
import type { SmsFailure } from '@karaar/contracts/sms';
// Only this module, because the package's main module loads clients of the whole API.
import webhooks from 'twilio/lib/webhooks/webhooks.js';

/** How a text ended, as the carrier reported it. */
export type SmsReport = 'delivered' | SmsFailure;

/** https://www.twilio.com/docs/api/errors */
const CAUSES: ReadonlyMap<unknown, SmsFailure> = new Map([
  ['30003', 'unreachable'],
  ['30004', 'blocked'],
  ['30005', 'unknown_number'],
  ['30006', 'unknown_number'],
  ['30007', 'blocked'],
]);

/**
 * Returns the report in a callback; undefined while the text is on its way.
 * @param call.url the public address that Twilio was given for this text
 * @throws 401 if Twilio has not signed this form for this URL
 */
export function readTwilioReport(
  call: { url: string; body: string; signature: string },
  authToken: string,
): SmsReport | undefined {
  const form = new URLSearchParams(call.body);
  // A repeated field stays a list, so that the signature covers all of its values.
  const fields = Object.fromEntries(
    [...form.keys()].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? values[0] : values] as const;
    }),
  );
  if (!webhooks.validateRequest(authToken, call.signature, call.url, fields))
    throw unauthorized('signature_wrong', 'The webhook is not signed by the SMS provider.');
  const { MessageStatus: status, ErrorCode: code } = fields;
  if (status === 'delivered') return 'delivered';
  if (status !== 'undelivered' && status !== 'failed') return undefined;
  return CAUSES.get(code) ?? 'undelivered';
}
