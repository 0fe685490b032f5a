import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { Context } from '../../context.ts';
import { notificationDetailsOf } from './notification-details/notification-details.service.ts';

export async function agreementsRpc(ctx: Context): Promise<void> {
  // A consumer in notifications requests up to a hundred events at once, which share SQL statements.
  await ctx.bus.serve(documentsRpc.notificationDetails, notificationDetailsOf(ctx), { concurrency: 1_000 });
}
