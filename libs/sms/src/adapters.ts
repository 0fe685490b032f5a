/** Builds each provider's requests and parses its responses. Pure: no network. */
import { SmsError } from './outcome.ts';
import type { SmsFailure } from '@karaar/contracts/sms';
import type { SmsOptions } from './config.ts';
import type { TextMessage } from './message.ts';
import { textIdIn } from './reports.ts';
import { msg91ReportId, MSG91_CAUSES, parsed, TWILIO_CAUSES, valueOf } from './status.ts';

export type ProviderRequest = {
  method: 'POST' | 'GET';
  url: string;
  headers: Record<string, string>;
  body?: string;
};
export type ProviderAnswer = { status: number; retryAfterS: number | undefined; body: string };

export type SmsAdapter = {
  request: (message: TextMessage) => ProviderRequest;
  /** Returns if the provider has accepted the message; otherwise throws an SmsError with the outcome. */
  read: (answer: ProviderAnswer) => void;
  /** The request that checks whether a message was accepted; null if the provider has none. */
  search: {
    request: (message: TextMessage) => ProviderRequest;
    /** Returns true if the response lists this message as accepted since a moment. */
    found: (answer: ProviderAnswer, message: TextMessage, since: Date) => boolean;
  } | null;
};

export const createAdapter = (options: SmsOptions): SmsAdapter =>
  options.provider === 'msg91' ? msg91(options) : twilio(options);

/** https://www.twilio.com/docs/messaging/api/message-resource */
function twilio(options: SmsOptions & { provider: 'twilio' }): SmsAdapter {
  const { accountSid, authToken, from } = options;
  const url = `${options.apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const senderField = /^MG[0-9a-f]{32}$/.test(from) ? 'MessagingServiceSid' : 'From';
  return {
    request: ({ to, text, statusUrl }) => ({
      method: 'POST',
      url,
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        To: to,
        [senderField]: from,
        Body: text,
        ...(statusUrl ? { StatusCallback: statusUrl } : {}),
      }).toString(),
    }),
    read: (answer) => {
      const body = parsed(answer.body);
      refuseByStatus(answer, TWILIO_CAUSES.get(String(valueOf(body, 'code'))));
      const [sid, status, code] = ['sid', 'status', 'error_code'].map((name) => valueOf(body, name));
      const refusal = TWILIO_CAUSES.get(String(code));
      if (status === 'failed' || status === 'undelivered')
        throw new SmsError('refused', { ...at(answer), refusal });
      // A 2xx without Twilio's body comes from a proxy, so the outcome is unknown.
      if (typeof sid !== 'string') throw new SmsError('unknown', at(answer));
    },
    search: {
      // By phone only: a queued message has no sending date. Newest first.
      request: ({ to }) => ({
        method: 'GET',
        url: `${url}?${new URLSearchParams({ To: to, PageSize: '100' })}`,
        headers: { authorization },
      }),
      found: (answer, { text }, since) => {
        refuseByStatus(answer);
        const messages = valueOf(parsed(answer.body), 'messages');
        if (!Array.isArray(messages)) throw new SmsError('unknown', at(answer));
        // Twilio's times are whole seconds.
        const from = Math.floor(since.getTime() / 1_000) * 1_000;
        return messages.some(
          (message: { body?: unknown; date_created?: unknown; status?: unknown }) =>
            message.body === text &&
            message.status !== 'failed' &&
            Date.parse(String(message.date_created)) >= from,
        );
      },
    },
  };
}

/** https://docs.msg91.com/sms/send-sms (flow). Errors come with 4xx, but also as 200 with `type: error`. */
function msg91(options: SmsOptions & { provider: 'msg91' }): SmsAdapter {
  const reportIdIn = (statusUrl: string) => {
    const id = textIdIn(statusUrl);
    return id ? { CRQID: msg91ReportId(id, options.authKey) } : {};
  };
  return {
    request: ({ to, template, variables, statusUrl = '' }) => ({
      method: 'POST',
      url: `${options.apiUrl}/api/v5/flow`,
      headers: {
        authkey: options.authKey,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        template_id: options.templates.get(template) ?? missing(template),
        sender: options.from,
        // Our links are short already; MSG91 must not rewrite them.
        short_url: '0',
        recipients: [{ ...variables, mobiles: to.replace(/^\+/, ''), ...reportIdIn(statusUrl) }],
      }),
    }),
    read: (answer) => {
      const body = parsed(answer.body);
      const refusal = MSG91_CAUSES.find(([words]) => words.test(String(valueOf(body, 'message'))))?.[1];
      refuseByStatus(answer, refusal);
      const type = valueOf(body, 'type');
      if (type === 'error') throw new SmsError('refused', { ...at(answer), refusal });
      if (type !== 'success') throw new SmsError('unknown', at(answer));
    },
    search: null,
  };
}

function refuseByStatus(answer: ProviderAnswer, refusal?: SmsFailure): void {
  const { status } = answer;
  if (status === 429) throw new SmsError('not-sent', at(answer));
  if (status >= 400 && status < 500 && status !== 408)
    throw new SmsError('refused', { ...at(answer), refusal });
  if (status < 200 || status >= 300) throw new SmsError('unknown', at(answer));
}

const at = ({ status, retryAfterS }: ProviderAnswer) => ({ providerStatus: status, retryAfterS });

function missing(template: string): never {
  throw new Error(`No MSG91 template for ${template}: name it when the options are read.`);
}
