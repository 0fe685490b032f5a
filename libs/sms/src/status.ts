/** Twilio's status callbacks. https://www.twilio.com/docs/usage/webhooks/webhooks-security */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns Twilio's signature of a form that is sent to a URL. */
export function signTwilioForm(url: string, form: URLSearchParams, authToken: string): string {
  const fields = [...form].map(([name, value]) => name + value).toSorted();
  return createHmac('sha1', authToken)
    .update(url + fields.join(''))
    .digest('base64');
}

/** Returns true if Twilio has signed this form for this URL. */
export function isSignedByTwilio(
  call: { url: string; form: URLSearchParams; signature: string },
  authToken: string,
): boolean {
  const [own, given] = [signTwilioForm(call.url, call.form, authToken), call.signature].map((text) =>
    createHmac('sha256', authToken).update(text).digest(),
  ) as [Buffer, Buffer];
  return timingSafeEqual(own, given);
}

/** The final fate of a text, as the carrier reported it. */
export type SmsDelivery = 'delivered' | 'undelivered';

/** Returns the fate in a status callback; undefined while the text is on its way. */
export function twilioDelivery(form: URLSearchParams): SmsDelivery | undefined {
  const status = form.get('MessageStatus');
  if (status === 'delivered') return 'delivered';
  return status === 'undelivered' || status === 'failed' ? 'undelivered' : undefined;
}
