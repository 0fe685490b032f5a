import { messagingRoutes as routes } from '@karaar/contracts/messaging/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { presentMessage } from './conversations.presenter.ts';
import { readConversation, sendMessage, tellOfMessage, unreadCount } from './conversations.service.ts';

export function conversationsRoutes(app: HttpApp, ctx: Context): void {
  const signFor = (viewerId: string) => (path: string, filename: string) =>
    ctx.blobs.signPath(path, { viewerId, ttlS: ctx.config.FILE_LINK_TTL_S, filename });

  mountRoute(app, routes.send, async ({ principal, form }) => {
    const message = await sendMessage(ctx, principal.userId, {
      receiverId: form.fields.receiver_id,
      content: form.fields.content,
      clientMessageId: form.fields.client_message_id,
      file: form.files.attachment[0],
    });
    // It is stored: whether others are told at once changes nothing of that.
    tellOfMessage(ctx, message, (viewerId) => presentMessage(message, signFor(viewerId))).catch(
      (err: unknown) => ctx.logger.warn({ err }, 'a message was stored and could not be told of'),
    );
    return { message_id: message.id, message: presentMessage(message, signFor(principal.userId)) };
  });

  mountRoute(app, routes.conversation, async ({ principal, params, query }) => {
    const messages = await readConversation(ctx, principal.userId, params.id, query);
    return messages.map((message) => presentMessage(message, signFor(principal.userId)));
  });

  mountRoute(app, routes.unreadCount, async ({ principal }) => ({
    unread_count: await unreadCount(ctx, principal.userId),
  }));
}
