/**
 * Publishes that a user has left messages unread for a while, so that the notifications service can notify
 * the user.
 */
import { messagingEvents } from '@karaar/contracts/messaging/events';
import { inTransaction } from '@karaar/db';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { takeLeftUnread } from './unread-notifications.repository.ts';

const EVERY_MS = 60_000;
const AT_ONCE = 200;
/** Limits the backlog that the first run of this worker finds. */
const OLDEST_S = 24 * 60 * 60;

type UnreadContext = Pick<Context, 'config' | 'db' | 'outbox' | 'logger'>;

export const startUnreadNotificationsWorker = (ctx: UnreadContext): Worker =>
  startWorker({
    restMs: Math.min(EVERY_MS, ctx.config.UNREAD_NOTIFICATION_AFTER_S * 1_000),
    turn: async () => (await publishLeftUnread(ctx)) >= AT_ONCE,
    onError: (err) => ctx.logger.warn({ err }, 'messages that were left unread cannot be read'),
  });

/** Returns how many conversations it handled. */
export async function publishLeftUnread({ config, db, outbox }: UnreadContext): Promise<number> {
  const afterS = config.UNREAD_NOTIFICATION_AFTER_S;
  return inTransaction(db, async (tx) => {
    const taken = await takeLeftUnread(tx, { afterS, oldestS: afterS + OLDEST_S, limit: AT_ONCE });
    await outbox.addAll(
      tx,
      messagingEvents.leftUnread,
      taken
        .filter(({ worth_telling }) => worth_telling)
        .map(({ user_id, other_id, conversation_id, last_seq }) => ({
          aggregateId: conversation_id,
          aggregateVersion: last_seq,
          data: { user_id, other_id },
        })),
    );
    return taken.length;
  });
}
