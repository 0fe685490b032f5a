import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import type { Context } from '../../context.ts';
import { stopCharging } from './stopping.service.ts';

export async function chargesRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(paymentsRpc.stopCharge, (request) => stopCharging(ctx, request));
}
