/** A stand-in for an SMS provider with Twilio's API, for sending and looking up texts. */
import { signTwilioForm } from '../sandboxes/sms/twilio.ts';
import { answerJson, startLoopback } from './loopback.ts';

export type SentText = { to: string; text: string; statusUrl: string };
export type SmsStandIn = {
  /** Oldest first. */
  sent: SentText[];
  /** `mute` accepts the text and closes the connection without a response; `down` closes every connection. */
  mode: 'ok' | 'mute' | 'refuses' | 'busy';
  env: Record<string, string>;
  to: (phone: string) => SentText[];
  stop: () => Promise<void>;
};

/** Reports about a text as Twilio does, signed for `url` with `token`; returns the status of the answer. */
export async function reportSms(
  serviceUrl: string,
  statusUrl: string,
  fields: Record<string, string>,
  { url = statusUrl, token = 'secret' }: { url?: string; token?: string } = {},
): Promise<number> {
  const body = new URLSearchParams(fields);
  const headers = { 'x-twilio-signature': signTwilioForm(url, body, token) };
  const path = new URL(statusUrl).pathname.replace('/api', '');
  return (await fetch(`${serviceUrl}${path}`, { method: 'POST', body, headers })).status;
}

export async function smsStandIn(): Promise<SmsStandIn> {
  const sent: (SentText & { at: string })[] = [];
  const { url, stop } = await startLoopback(({ req, res, body }) => {
    if (req.method === 'GET') {
      const to = new URL(req.url ?? '', 'http://sms').searchParams.get('To');
      const messages = sent
        .filter((sms) => sms.to === to)
        .map((sms) => ({ body: sms.text, date_created: sms.at, status: 'delivered' }));
      return answerJson(res, 200, { messages });
    }
    if (standIn.mode === 'refuses') return answerJson(res, 400, { code: 21_211 });
    if (standIn.mode === 'busy') return answerJson(res, 429, { code: 20_429 });
    const form = new URLSearchParams(body);
    sent.push({
      to: form.get('To') ?? '',
      text: form.get('Body') ?? '',
      statusUrl: form.get('StatusCallback') ?? '',
      at: new Date().toUTCString().replace('GMT', '+0000'),
    });
    if (standIn.mode === 'mute') return res.socket?.resetAndDestroy();
    return answerJson(res, 201, { sid: `SM${String(sent.length).padStart(32, '0')}`, status: 'queued' });
  });
  const standIn: SmsStandIn = {
    sent,
    mode: 'ok',
    env: {
      SMS_PROVIDER: 'sandbox',
      SMS_API_URL: url,
      SMS_ACCOUNT_SID: 'ACtest',
      SMS_AUTH_TOKEN: 'secret',
      SMS_TIMEOUT_MS: '2000',
    },
    to: (phone) => sent.filter((sms) => sms.to === phone),
    stop,
  };
  return standIn;
}
