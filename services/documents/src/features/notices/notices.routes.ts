import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { changeNoticeSettings, getNoticeSettings } from './notices.service.ts';

export function noticesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.getNoticeSettings, ({ principal }) => getNoticeSettings(ctx, principal));
  mountRoute(app, routes.changeNoticeSettings, async ({ principal, body }) => {
    await changeNoticeSettings(ctx, principal, body.sms_notices);
    return getNoticeSettings(ctx, principal);
  });
}
