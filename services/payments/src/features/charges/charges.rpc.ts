import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import type { Context } from '../../context.ts';
import { owesShare } from './charges.service.ts';
import { stopCharging } from './stopping.service.ts';

export async function chargesRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(paymentsRpc.stopCharge, (request) => stopCharging(ctx, request));
  await ctx.bus.serve(paymentsRpc.owes, async ({ user_id, document_id }) => ({
    owes: await owesShare(ctx, user_id, document_id),
  }));
}
