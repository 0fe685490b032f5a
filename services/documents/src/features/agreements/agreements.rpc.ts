import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { Context } from '../../context.ts';
import { noticeFactsOf } from './notice-facts/notice-facts.service.ts';

export async function agreementsRpc(ctx: Context): Promise<void> {
  // Each handler of notifications asks about up to a hundred events at once, and they share statements.
  await ctx.bus.serve(documentsRpc.noticeFacts, noticeFactsOf(ctx), { concurrency: 1_000 });
}
