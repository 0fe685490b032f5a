/** Meta's Cloud API for WhatsApp: template messages and signed reports. */
import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Inbox } from './inbox.ts';

const refuse = (reply: FastifyReply, status: number, code: number, message: string) =>
  reply.code(status).send({
    error: { message: `(#${code}) ${message}`, type: 'OAuthException', code, fbtrace_id: 'sandbox' },
  });

/** Returns Meta's signature of a body. */
export const signMetaBody = (body: string, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

export type MetaStatus = {
  status: 'sent' | 'delivered' | 'read' | 'failed';
  data: string;
  errors?: readonly { code: number; title: string }[];
};

/** Returns the body of a webhook about a message, as Meta sends it. */
export const statusBody = ({ status, data, errors }: MetaStatus): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [
          {
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
              statuses: [
                {
                  id: `wamid.${data}`,
                  status,
                  timestamp: String(Math.floor(Date.now() / 1_000)),
                  recipient_id: '919000000001',
                  biz_opaque_callback_data: data,
                  ...(errors ? { errors } : {}),
                },
              ],
            },
            field: 'messages',
          },
        ],
      },
    ],
  });

type Parameter = { text?: unknown };
type Message = {
  messaging_product?: unknown;
  to?: unknown;
  type?: unknown;
  biz_opaque_callback_data?: unknown;
  template?: {
    name?: unknown;
    language?: { code?: unknown };
    components?: { type?: unknown; parameters?: Parameter[] }[];
  };
};

/** Meta stores the templates, so the phone shows the name, the language and the variables. */
function textOf({ name, language, components = [] }: NonNullable<Message['template']>): string {
  const values = components.flatMap(({ type, parameters = [] }) =>
    parameters.map(({ text }) => `${String(type)}: ${String(text)}`),
  );
  return [`[${String(name)} ${String(language?.code)}]`, ...values].join('\n');
}

export async function whatsappRoutes(
  app: FastifyInstance,
  { inbox, appSecret, webhookUrl }: { inbox: Inbox; appSecret?: string; webhookUrl?: string },
): Promise<void> {
  async function report(data: string): Promise<void> {
    if (!appSecret || !webhookUrl) return;
    for (const status of ['sent', 'delivered'] as const) {
      const body = statusBody({ status, data });
      const headers = {
        'content-type': 'application/json',
        'x-hub-signature-256': signMetaBody(body, appSecret),
      };
      await fetch(webhookUrl, { method: 'POST', body, headers });
    }
  }

  app.post<{ Body: Message | null }>('/:version/:phoneNumberId/messages', (req, reply) => {
    if (!/^Bearer .+/.test(req.headers.authorization ?? ''))
      return refuse(reply, 401, 190, 'Invalid OAuth access token');
    const { messaging_product, to, type, template, biz_opaque_callback_data: data } = req.body ?? {};
    if (messaging_product !== 'whatsapp' || type !== 'template' || !/^[1-9]\d{9,14}$/.test(String(to)))
      return refuse(reply, 400, 100, 'Invalid parameter');
    if (!/^[a-z0-9_]{1,512}$/.test(String(template?.name)) || typeof template?.language?.code !== 'string')
      return refuse(reply, 404, 132_001, 'Template name does not exist in the translation');
    inbox.receive(String(to), textOf(template));
    const id = `wamid.${randomBytes(24).toString('base64')}`;
    reply.raw.once('finish', () => {
      report(String(data)).catch((err: unknown) => req.log.warn({ err }, 'a status was not taken'));
    });
    return {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id, message_status: 'accepted' }],
    };
  });
}
