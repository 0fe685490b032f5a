import type { FastifyInstance } from 'fastify';
import type { SandboxConfig } from '../config.ts';
import { Mailbox } from './mailbox.ts';
import { mailboxPage } from './page.ts';
import { startSmtp } from './smtp.ts';

const LIST_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";
/** The policy of a mail program: no script, no external content; links of an e-mail open. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-popups allow-top-navigation-by-user-activation";

/** Registers the mail sandbox: an SMTP server, and the mailbox page. */
export async function registerMail(app: FastifyInstance, config: SandboxConfig): Promise<void> {
  const mailbox = new Mailbox();
  if (config.smtpPort !== undefined) {
    const smtp = await startSmtp(mailbox, { host: config.host, port: config.smtpPort });
    app.addHook('onClose', () => smtp.close());
  }
  app.get<{ Querystring: { to?: string } }>('/dev/mail', (req, reply) => {
    const { to } = req.query;
    reply.header('cache-control', 'no-store');
    if (to !== undefined || req.headers.accept?.includes('application/json'))
      return mailbox.list(to || undefined);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', LIST_POLICY)
      .send(mailboxPage(mailbox.list(), config.publicUrl));
  });
  app.get<{ Params: { id: string } }>('/dev/mail/:id', (req, reply) => {
    const mail = mailbox.list().find(({ id }) => id === req.params.id);
    if (!mail) return reply.code(404).send({ detail: 'There is no such e-mail here.' });
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', MAIL_POLICY)
      .send(mail.html);
  });
}
