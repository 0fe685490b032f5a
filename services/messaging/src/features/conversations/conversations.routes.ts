import { messagingRoutes as routes } from '@karaar/contracts/messaging/http';
import type { Principal } from '@karaar/http/auth';
import { isNotModified, mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentMessage } from './conversations.presenter.ts';
import { openConversation, sendMessage, publishMessage } from './conversations.service.ts';

const UNSEEN = { read_seq: 0, their_read_seq: 0, their_delivered_seq: 0 };

export function conversationsRoutes(app: HttpApp, ctx: Context): void {
  const signFor =
    ({ userId, sessionId }: Principal) =>
    (path: string, filename: string) =>
      ctx.blobs.signPath(path, {
        viewerId: userId,
        sessionId,
        ttlS: ctx.config.FILE_LINK_TTL_S,
        filename,
      });

  mountRoute(app, routes.send, async ({ principal, form }) => {
    const message = await sendMessage(ctx, principal.userId, {
      receiverId: form.fields.receiver_id,
      content: form.fields.content,
      clientMessageId: form.fields.client_message_id,
      file: form.files.attachment[0],
    });
    // Without a link, because a link is valid for one session only: each page requests its own.
    const present = (id: string) => presentMessage(message, { id, marks: UNSEEN, sign: () => '' });
    // Not awaited: the message is stored, and the live update is only a hint.
    publishMessage(ctx, message, present).catch((err: unknown) =>
      ctx.logger.warn({ err }, 'a message was stored and could not be told of'),
    );
    const own = { id: principal.userId, marks: UNSEEN, sign: signFor(principal) };
    return { message_id: message.id, message: presentMessage(message, own) };
  });

  mountRoute(app, routes.conversation, async ({ principal, params, query, req, reply }) => {
    const id = principal.userId;
    const { pair, state, messages } = await openConversation(ctx, id, params.id, query);
    // The page keeps the answer itself. The browser must not keep it for the next user.
    reply.header('cache-control', 'private, no-store');
    // The session is part of the tag, because the links in a cached answer are valid for that session only.
    if (isNotModified(req, reply, `W/"${state}.${principal.sessionId}"`)) return [];
    const viewer = { id, marks: pair, sign: signFor(principal) };
    return (await messages()).map((message) => presentMessage(message, viewer));
  });
}
