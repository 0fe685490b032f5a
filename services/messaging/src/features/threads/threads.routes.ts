import { messagingRoutes as routes } from '@karaar/contracts/messaging/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentPerson, presentThread } from './threads.presenter.ts';
import { listChats, noteRead, requirePair, unreadCount } from './threads.service.ts';

export function threadsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.conversations, async ({ principal, query }) => {
    const { threads, nextCursor } = await listChats(ctx, principal.userId, query);
    return { items: threads.map(presentThread), next_cursor: nextCursor };
  });

  mountRoute(app, routes.person, async ({ principal, params }) =>
    presentPerson(await requirePair(ctx, principal.userId, params.id)),
  );

  mountRoute(app, routes.markRead, async ({ principal, params, body }) => {
    const pair = await requirePair(ctx, principal.userId, params.id);
    return { unread_count: await noteRead(ctx, principal.userId, pair, body.up_to_seq) };
  });

  mountRoute(app, routes.unreadCount, async ({ principal }) => ({
    unread_count: await unreadCount(ctx, principal.userId),
  }));
}
