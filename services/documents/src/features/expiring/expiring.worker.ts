/** Announces the end of a sealed agreement 30 days before, so that its parties can renew it in time. */
import { documentsEvents } from '@karaar/contracts/documents/events';
import { inTransaction } from '@karaar/db';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { inIndia, isWritingHour } from '../text-messages/writing-hours.ts';
import { takeExpiring } from './expiring.repository.ts';

const EVERY_MS = 30 * 60_000;
const AT_ONCE = 100;
const WHEN = { days: 30, missedDays: 3, limit: AT_ONCE };

type ExpiringContext = Pick<Context, 'db' | 'outbox' | 'logger'>;

export const startExpiringWorker = (ctx: ExpiringContext): Worker =>
  startWorker({
    restMs: EVERY_MS,
    turn: async () => (await publishExpiring(ctx, new Date())) >= AT_ONCE,
    onError: (err) => ctx.logger.warn({ err }, 'agreements that end soon cannot be read'),
  });

/**
 * Publishes an event for each agreement that ends soon, during the day in India.
 *
 * @returns the number of events
 */
export async function publishExpiring(ctx: ExpiringContext, now: Date): Promise<number> {
  if (!isWritingHour(now)) return 0;
  const published = await inTransaction(ctx.db, async (tx) => {
    const expiring = await takeExpiring(tx, inIndia(now).today, WHEN);
    for (const { document_id, primary_user, involved_users } of expiring)
      await ctx.outbox.add(tx, documentsEvents.expiring, {
        aggregateId: document_id,
        aggregateVersion: 1,
        data: { document_id, primary_user, involved_users },
      });
    return expiring.length;
  });
  if (published > 0) ctx.outbox.wake();
  return published;
}
