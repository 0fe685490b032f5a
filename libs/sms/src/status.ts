/** Reports of the providers about sent texts. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { unauthorized } from '@karaar/base/errors';
import type { SmsFailure } from '@karaar/contracts/sms';
// Only this module, because the package's main module loads clients of the whole API.
import webhooks from 'twilio/lib/webhooks/webhooks.js';

/** How a text ended, as the carrier reported it. */
export type SmsReport = 'delivered' | SmsFailure;

/** https://www.twilio.com/docs/api/errors; 21… are errors at sending. */
export const TWILIO_CAUSES: ReadonlyMap<unknown, SmsFailure> = new Map([
  ['21211', 'unknown_number'],
  ['21610', 'blocked'],
  ['21612', 'unreachable'],
  ['21614', 'unknown_number'],
  ['30003', 'unreachable'],
  ['30004', 'blocked'],
  ['30005', 'unknown_number'],
  ['30006', 'unknown_number'],
  ['30007', 'blocked'],
]);

/**
 * Returns the report in a callback; undefined while the text is on its way.
 * https://www.twilio.com/docs/usage/webhooks/webhooks-security
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
  return TWILIO_CAUSES.get(code) ?? 'undelivered';
}

/** https://msg91.com/help/webhooks/how-can-i-get-the-delivery-reports-on-my-webhook-url */
const MSG91_STATUSES: ReadonlyMap<string, SmsReport> = new Map([
  ['1', 'delivered'],
  ['2', 'undelivered'],
  ['9', 'blocked'],
  ['16', 'undelivered'],
  ['17', 'blocked'],
  ['25', 'undelivered'],
  ['delivered', 'delivered'],
  ['failed', 'undelivered'],
  ['ndnc', 'blocked'],
  ['rejected', 'undelivered'],
  ['blocked number', 'blocked'],
]);

/** Texts of MSG91's errors at sending that are about the receiver's number. */
export const MSG91_CAUSES: readonly (readonly [RegExp, SmsFailure])[] = [
  [/\b(dnd|ndnc|block(ed)?)\b/i, 'blocked'],
  [/invalid (mobile|number|recipient)/i, 'unknown_number'],
];

const ID_BYTES = 16;

const proofOf = (id: Buffer, authKey: string): Buffer =>
  createHmac('sha256', authKey).update('sms report ').update(id).digest().subarray(0, ID_BYTES);

/**
 * Returns the id with which MSG91 reports about a text (its `CRQID`): our id and our signature of it, because
 * MSG91 signs nothing.
 * @param id a UUID
 */
export function msg91ReportId(id: string, authKey: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, proofOf(bytes, authKey)]).toString('base64url');
}

/**
 * Returns the final reports in a call: a form with a list (webhook version 2) or one report as JSON. It leaves
 * out reports about texts without our signature, such as those of other services of the same account.
 */
export function readMsg91Reports(body: string, authKey: string): { id: string; report: SmsReport }[] {
  const batches = parsed(new URLSearchParams(body).get('data') ?? body);
  return [batches].flat().flatMap((batch: unknown) =>
    [valueOf(batch, 'report') ?? batch].flat().flatMap((entry: unknown) => {
      const id = signedId(String(valueOf(entry, 'CRQID')), authKey);
      const report = MSG91_STATUSES.get(String(valueOf(entry, 'status')).toLowerCase());
      return id && report ? [{ id, report }] : [];
    }),
  );
}

function signedId(reportId: string, authKey: string): string | undefined {
  const bytes = Buffer.from(reportId, 'base64url');
  if (bytes.length !== 2 * ID_BYTES) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), proofOf(id, authKey))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the value of a JSON text; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns a property of an object; undefined for anything else. */
export const valueOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
