import { notificationsRoutes as routes } from '@karaar/contracts/notifications/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentNotification } from './inbox.presenter.ts';
import { listInbox, readOne, readUpTo, unreadOf } from './inbox.service.ts';

export function inboxRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.listNotifications, async ({ principal, query }) => {
    const { rows, unread, nextCursor } = await listInbox(ctx, principal.userId, query);
    return { notifications: rows.map(presentNotification), unread_count: unread, next_cursor: nextCursor };
  });
  mountRoute(app, routes.unreadNotifications, async ({ principal }) => ({
    unread_count: await unreadOf(ctx, principal.userId),
  }));
  mountRoute(app, routes.readNotifications, async ({ principal, body }) => ({
    unread_count: await readUpTo(ctx, principal.userId, body.up_to),
  }));
  mountRoute(app, routes.readNotification, async ({ principal, params }) => ({
    unread_count: await readOne(ctx, principal.userId, params.id),
  }));
}
