import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { receiveSmsStatus } from './sms-status.service.ts';
import { changeTextMessageSettings, getTextMessageSettings } from './text-messages.service.ts';

export function textMessagesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.getTextMessageSettings, ({ principal }) => getTextMessageSettings(ctx, principal));
  mountRoute(app, routes.changeTextMessageSettings, async ({ principal, body }) => {
    await changeTextMessageSettings(ctx, principal, body.sms_notices);
    return getTextMessageSettings(ctx, principal);
  });
  smsStatusRoute(app, ctx);
}

/** Twilio sends a form and signs its fields, so this route alone takes its body unparsed. */
function smsStatusRoute(app: HttpApp, ctx: Context): void {
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'string' }, (_req, body, done) => done(null, body));
    raw.post<{ Params: { messageId: string } }>(routes.smsStatus.path, async ({ params, body, headers }) => {
      const signature = headers['x-twilio-signature'];
      await receiveSmsStatus(ctx, {
        messageId: params.messageId,
        body: typeof body === 'string' ? body : '',
        signature: typeof signature === 'string' ? signature : '',
      });
      return { received: true };
    });
  });
}
