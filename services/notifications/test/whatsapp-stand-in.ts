/** A stand-in for Meta's Cloud API. */
import { answerJson, startLoopback } from '@karaar/testing/providers/loopback';

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
  const { url, stop } = await startLoopback(({ req, res, body }) => {
    const { mode } = standIn;
    if (typeof mode === 'number') {
      const error = { message: `(#${mode})`, type: 'OAuthException', code: mode };
      return answerJson(res, 400, { error });
    }
    if (req.url !== '/v23.0/1065/messages' || req.headers.authorization !== 'Bearer token')
      return answerJson(res, 401, { error: { code: 190 } });
    standIn.sent.push(JSON.parse(body) as SentMessage);
    if (mode === 'mute') return res.socket?.resetAndDestroy();
    return answerJson(res, 200, { messages: [{ id: `wamid.${standIn.sent.length}` }] });
  });
  const standIn: WhatsappStandIn = {
    sent: [],
    mode: 'ok',
    env: {
      WHATSAPP_API_URL: `${url}/v23.0`,
      WHATSAPP_PHONE_NUMBER_ID: '1065',
      WHATSAPP_ACCESS_TOKEN: 'token',
      WHATSAPP_APP_SECRET: APP_SECRET,
      WHATSAPP_VERIFY_TOKEN: 'our-word',
    },
    stop,
  };
  return standIn;
}
