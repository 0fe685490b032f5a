/** MSG91's flow API. Its texts are approved templates; a caller sends the variables only. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Inbox } from './inbox.ts';

const refuse = (reply: FastifyReply, status: number, message: string) =>
  reply.code(status).send({ type: 'error', message });

/**
 * The sandbox has no approved templates: it shows the template's name and the variables in order, the same
 * data as in the approved text.
 */
function textOf(template: string, variables: Record<string, unknown>): string {
  const facts = Object.entries(variables).map(([name, value]) => `${name}: ${String(value)}`);
  return [`[${template}]`, ...facts].join('\n');
}

/** Reports texts as delivered, in webhook version 2. An account has one list of webhooks for all its texts. */
async function report(
  webhooks: readonly string[],
  requestId: string,
  recipients: Recipient[],
): Promise<void> {
  const delivered = recipients.map(({ mobiles, CRQID }) => ({
    number: mobiles,
    status: '1',
    desc: 'DELIVERED',
    CRQID: CRQID ?? '0',
  }));
  const body = new URLSearchParams({ data: JSON.stringify([{ requestId, report: delivered }]) });
  for (const url of webhooks) await fetch(url, { method: 'POST', body });
}

type Recipient = { mobiles?: unknown; CRQID?: unknown };

export async function msg91Routes(
  app: FastifyInstance,
  { inbox, webhooks }: { inbox: Inbox; webhooks: readonly string[] },
): Promise<void> {
  for (const url of ['/api/v5/flow', '/api/v5/flow/'])
    app.post(url, (req, reply) => {
      if (!req.headers.authkey) return refuse(reply, 401, 'Authentication failure');
      const { template_id, flow_id, recipients } = (req.body ?? {}) as Record<string, unknown>;
      const template = template_id ?? flow_id;
      if (typeof template !== 'string' || !template)
        return refuse(reply, 400, 'Template ID Missing or Invalid Template');
      if (!Array.isArray(recipients) || recipients.length === 0)
        return refuse(reply, 400, 'Recipients missing');
      const texts: { to: string; text: string }[] = [];
      for (const recipient of recipients as unknown[]) {
        const { mobiles, CRQID: _, ...variables } = (recipient ?? {}) as Record<string, unknown>;
        if (!/^[1-9]\d{9,14}$/.test(String(mobiles ?? '')))
          return refuse(reply, 400, 'Invalid mobile number');
        texts.push({ to: String(mobiles), text: textOf(template, variables) });
      }
      for (const { to, text } of texts) inbox.receive(to, text);
      const requestId = randomBytes(12).toString('hex');
      reply.raw.once('finish', () => {
        report(webhooks, requestId, recipients).catch((err: unknown) =>
          req.log.warn({ err }, 'a report was not taken'),
        );
      });
      return { type: 'success', message: requestId };
    });
}
