/** Text messages by Twilio's HTTP API; in development a sandbox speaks the same protocol (design §2.9). */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, unavailable } from '@karaar/platform/errors';
import { request } from 'undici';

export type SmsSender = (phone: string, text: string) => Promise<void>;

export type SmsOptions = {
  apiUrl: string;
  accountSid: string;
  authToken: string;
  from: string;
  timeoutMs: number;
};

const ATTEMPTS = 2;
const notSent = () =>
  unavailable('sms_unavailable', 'The text message could not be sent. Please try again in a moment.');

/** Throws 503 when the provider is away or refuses; the phone and the text are in no error and no log. */
export function createSmsSender(options: SmsOptions): SmsSender {
  const url = `${options.apiUrl}/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${options.accountSid}:${options.authToken}`).toString('base64')}`;

  async function attempt(phone: string, text: string): Promise<void> {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ To: phone, From: options.from, Body: text }).toString(),
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
    });
    await body.dump();
    if (statusCode >= 300) throw notSent();
  }

  return async (phone, text) => {
    for (let n = 1; ; n += 1) {
      try {
        return await attempt(phone, text);
      } catch (error) {
        if (n === ATTEMPTS) throw error instanceof AppError ? error : notSent();
        await sleep(200 * n);
      }
    }
  };
}
