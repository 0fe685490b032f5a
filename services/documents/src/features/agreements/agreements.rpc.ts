import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { Context } from '../../context.ts';
import { notificationDetailsOf } from './notification-details/notification-details.service.ts';

export async function agreementsRpc(ctx: Context): Promise<void> {
  // Each handler of notifications asks about up to a hundred events at once, and they share statements.
  await ctx.bus.serve(documentsRpc.notificationDetails, notificationDetailsOf(ctx), { concurrency: 1_000 });
}
