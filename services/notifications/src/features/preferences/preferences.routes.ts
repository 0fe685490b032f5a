import { notificationsRoutes as routes } from '@karaar/contracts/notifications/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { changeSettings, getSettings, unsubscribe } from './preferences.service.ts';

export function preferencesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.getNotificationSettings, ({ principal }) => getSettings(ctx, principal.userId));
  mountRoute(app, routes.changeNotificationSettings, ({ principal, body }) =>
    changeSettings(ctx, principal.userId, body),
  );
  mountRoute(app, routes.unsubscribe, async ({ query }) => {
    await unsubscribe(ctx, query.token);
    return { message: 'You will not get e-mails of this kind any more.' };
  });
}
