import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { Context } from '../../context.ts';
import { noticeFactsOf } from './notice-facts/notice-facts.service.ts';

export async function agreementsRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(documentsRpc.noticeFacts, noticeFactsOf(ctx));
}
