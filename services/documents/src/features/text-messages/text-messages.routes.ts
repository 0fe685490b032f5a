import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { changeTextMessageSettings, getTextMessageSettings } from './text-messages.service.ts';

export function textMessagesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.getTextMessageSettings, ({ principal }) => getTextMessageSettings(ctx, principal));
  mountRoute(app, routes.changeTextMessageSettings, async ({ principal, body }) => {
    await changeTextMessageSettings(ctx, principal, body.sms_notices);
    return getTextMessageSettings(ctx, principal);
  });
}
