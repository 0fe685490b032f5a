import { messagingRoutes as routes } from '@karaar/contracts/messaging/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { presentMessage } from './conversations.presenter.ts';
import { readConversation, sendMessage, unreadCount } from './conversations.service.ts';

export function conversationsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.send, async ({ principal, body }) => {
    const message = await sendMessage(ctx, principal.userId, {
      receiverId: body.receiver_id,
      content: body.content,
      clientMessageId: body.client_message_id,
    });
    return { message_id: message.id, message: presentMessage(message) };
  });

  mountRoute(app, routes.conversation, async ({ principal, params, query }) =>
    (await readConversation(ctx, principal.userId, params.id, query)).map(presentMessage),
  );

  mountRoute(app, routes.unreadCount, async ({ principal }) => ({
    unread_count: await unreadCount(ctx, principal.userId),
  }));
}
