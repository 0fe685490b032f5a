import type { FastifyInstance } from 'fastify';
import type { SandboxConfig } from '../config.ts';
import { Inbox } from './inbox.ts';
import { msg91Routes } from './msg91.ts';
import { inboxPage, STYLE } from './page.ts';
import { twilioRoutes } from './twilio.ts';
import { whatsappRoutes } from './whatsapp.ts';

/** Registers the sandboxes of SMS and WhatsApp: the APIs of Twilio, MSG91 and Meta, and a page for each inbox. */
export async function registerSms(app: FastifyInstance, config: SandboxConfig): Promise<void> {
  const [inbox, whatsapp] = [new Inbox(), new Inbox()];
  await app.register(twilioRoutes, { inbox });
  await app.register(msg91Routes, { inbox, webhooks: config.msg91Webhooks ?? [] });
  await app.register(whatsappRoutes, { inbox: whatsapp, ...config.whatsapp });

  for (const [path, by, texts] of [
    ['/dev/sms', 'SMS', inbox],
    ['/dev/whatsapp', 'WhatsApp', whatsapp],
  ] as const)
    app.get<{ Querystring: { phone_no?: string } }>(path, (req, reply) => {
      const { phone_no } = req.query;
      reply.header('cache-control', 'no-store');
      if (phone_no !== undefined || req.headers.accept?.includes('application/json'))
        return texts.list(phone_no === '' ? undefined : phone_no);
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
        .send(inboxPage(texts.list(), config.publicUrl, by));
    });
  app.get('/dev/sms.css', (_req, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
}
