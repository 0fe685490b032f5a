import type { FastifyInstance } from 'fastify';
import type { SandboxConfig } from '../config.ts';
import { Inbox } from './inbox.ts';
import { msg91Routes } from './msg91.ts';
import { inboxPage, STYLE } from './page.ts';
import { twilioRoutes } from './twilio.ts';

/** Registers the SMS sandbox: the APIs of Twilio and MSG91, and the inbox page. */
export async function registerSms(app: FastifyInstance, config: SandboxConfig): Promise<void> {
  const inbox = new Inbox();
  await app.register(twilioRoutes, { inbox });
  await app.register(msg91Routes, { inbox, webhooks: config.msg91Webhooks ?? [] });

  app.get<{ Querystring: { phone_no?: string } }>('/dev/sms', (req, reply) => {
    const { phone_no } = req.query;
    reply.header('cache-control', 'no-store');
    if (phone_no !== undefined || req.headers.accept?.includes('application/json'))
      return inbox.list(phone_no === '' ? undefined : phone_no);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
      .send(inboxPage(inbox.list(), config.publicUrl));
  });
  app.get('/dev/sms.css', (_req, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
}
