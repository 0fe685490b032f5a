/** The part of Twilio's Messages resource that sends a text. */
import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Inbox } from './inbox.ts';

function refuse(reply: FastifyReply, status: number, code: number, message: string) {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return reply.code(status).send({ code, message, more_info, status });
}

/** Returns Twilio's signature of a form that is sent to a URL. */
export const signTwilioForm = (url: string, form: URLSearchParams, token: string): string =>
  createHmac('sha1', token)
    .update(url + [...form].toSorted().flat().join(''))
    .digest('base64');

/** Reports a text as sent and then as delivered, signed with the account's token. */
async function report(req: FastifyRequest, url: string, sid: string): Promise<void> {
  const encoded = req.headers.authorization?.split(' ', 2)[1] ?? '';
  const token = Buffer.from(encoded, 'base64').toString().split(':', 2)[1] ?? '';
  for (const status of ['sent', 'delivered']) {
    const form = new URLSearchParams({
      MessageSid: sid,
      SmsSid: sid,
      MessageStatus: status,
      SmsStatus: status,
    });
    const headers = { 'x-twilio-signature': signTwilioForm(url, form, token) };
    await fetch(url, { method: 'POST', body: form, headers });
  }
}

/** A sandbox accepts any account that matches the URL and has a token. */
function authenticated(req: FastifyRequest, sid: string): boolean {
  const [scheme, encoded = ''] = (req.headers.authorization ?? '').split(' ', 2);
  const [user, token] = Buffer.from(encoded, 'base64').toString().split(':', 2);
  return scheme?.toLowerCase() === 'basic' && user === sid && Boolean(token);
}

export async function twilioRoutes(app: FastifyInstance, { inbox }: { inbox: Inbox }): Promise<void> {
  app.get<{ Params: { sid: string }; Querystring: { To?: string } }>(
    '/2010-04-01/Accounts/:sid/Messages.json',
    (req, reply) => {
      const { sid } = req.params;
      if (!authenticated(req, sid)) return refuse(reply, 401, 20_003, 'Authenticate');
      const messages = inbox.list(req.query.To).map(({ phone_no, text, sent_at }) => ({
        account_sid: sid,
        to: phone_no,
        body: text,
        date_created: new Date(sent_at).toUTCString().replace('GMT', '+0000'),
        status: 'delivered',
      }));
      return { messages: messages.slice(0, 100), page: 0, page_size: 100, next_page_uri: null };
    },
  );

  app.post<{ Params: { sid: string } }>('/2010-04-01/Accounts/:sid/Messages.json', (req, reply) => {
    const { sid } = req.params;
    if (!authenticated(req, sid)) return refuse(reply, 401, 20_003, 'Authenticate');
    const form = new URLSearchParams(typeof req.body === 'string' ? req.body : '');
    const [to, body] = [form.get('To'), form.get('Body')];
    const from = form.get('From') ?? form.get('MessagingServiceSid');
    if (!to) return refuse(reply, 400, 21_604, "A 'To' phone number is required.");
    if (!/^\+[1-9]\d{7,14}$/.test(to))
      return refuse(reply, 400, 21_211, `Invalid 'To' Phone Number: ${to.slice(0, 4)}XXXX`);
    if (!from) return refuse(reply, 400, 21_603, "A 'From' phone number is required.");
    if (!body) return refuse(reply, 400, 21_602, 'Message body is required.');
    if (body.length > 1_600)
      return refuse(reply, 400, 21_617, 'The concatenated message body exceeds the 1600 character limit');
    inbox.receive(to, body);
    const id = `SM${randomBytes(16).toString('hex')}`;
    const uri = `/2010-04-01/Accounts/${sid}/Messages/${id}`;
    const now = new Date().toUTCString().replace('GMT', '+0000');
    const callback = form.get('StatusCallback');
    if (callback)
      reply.raw.once('finish', () => {
        report(req, callback, id).catch((err: unknown) => req.log.warn({ err }, 'a status was not taken'));
      });
    return reply.code(201).send({
      sid: id,
      account_sid: sid,
      api_version: '2010-04-01',
      body,
      date_created: now,
      date_sent: null,
      date_updated: now,
      direction: 'outbound-api',
      error_code: null,
      error_message: null,
      from: form.get('From'),
      messaging_service_sid: form.get('MessagingServiceSid'),
      num_media: '0',
      num_segments: String(Math.ceil(body.length / 160)),
      price: null,
      price_unit: 'USD',
      status: 'queued',
      subresource_uris: { media: `${uri}/Media.json` },
      to,
      uri: `${uri}.json`,
    });
  });
}
