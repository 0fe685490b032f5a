/** A stand-in for Meta's Cloud API. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SentMessage = {
  to: string;
  biz_opaque_callback_data: string;
  template: { name: string; language: { code: string }; components: unknown[] };
};
export type WhatsappStandIn = {
  /** Oldest first. */
  sent: SentMessage[];
  /** A number is Meta's code of an error; `mute` accepts the message and closes the connection. */
  mode: 'ok' | 'mute' | number;
  env: Record<string, string>;
  stop: () => Promise<void>;
};

export const APP_SECRET = 'app-secret';

export async function whatsappStandIn(): Promise<WhatsappStandIn> {
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      const answer = (status: number, json: unknown) =>
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      const { mode } = standIn;
      if (typeof mode === 'number')
        return answer(400, { error: { message: `(#${mode})`, type: 'OAuthException', code: mode } });
      if (req.url !== '/v23.0/1065/messages' || req.headers.authorization !== 'Bearer token')
        return answer(401, { error: { code: 190 } });
      standIn.sent.push(JSON.parse(body) as SentMessage);
      if (mode === 'mute') return res.socket?.resetAndDestroy();
      return answer(200, { messages: [{ id: `wamid.${standIn.sent.length}` }] });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: WhatsappStandIn = {
    sent: [],
    mode: 'ok',
    env: {
      WHATSAPP_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v23.0`,
      WHATSAPP_PHONE_NUMBER_ID: '1065',
      WHATSAPP_ACCESS_TOKEN: 'token',
      WHATSAPP_APP_SECRET: APP_SECRET,
      WHATSAPP_VERIFY_TOKEN: 'our-word',
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}
