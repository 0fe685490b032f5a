import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, mountWebhook, type HttpApp } from '@karaar/http';
import { twilioToken } from '@karaar/sms';
import type { Context } from '../../context.ts';
import { receiveSmsStatus } from './sms-status.service.ts';
import { changeTextMessageSettings, getTextMessageSettings } from './text-messages.service.ts';

export function textMessagesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.getTextMessageSettings, ({ principal }) => getTextMessageSettings(ctx, principal));
  mountRoute(app, routes.changeTextMessageSettings, async ({ principal, body }) => {
    await changeTextMessageSettings(ctx, principal, body.sms_notices);
    return getTextMessageSettings(ctx, principal);
  });
  const token = twilioToken(ctx.config);
  if (token === undefined) return;
  mountWebhook(app, routes.smsStatus, ({ params, rawBody, header }) => {
    const signature = header('x-twilio-signature') ?? '';
    const { messageId = '' } = params;
    return receiveSmsStatus(ctx, { messageId, body: rawBody.toString(), signature }, token);
  });
}
