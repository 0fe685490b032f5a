import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { Context } from '../../context.ts';
import { describeStanding } from './step-up.service.ts';

/** Answers auth over the broker. */
export async function stepUpRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(documentsRpc.stepUp, ({ user_id }) => describeStanding(ctx, user_id));
}
