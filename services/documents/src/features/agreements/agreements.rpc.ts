import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { Context } from '../../context.ts';
import { describeCharge } from './charge.service.ts';

export async function agreementsRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(documentsRpc.chargeable, async ({ document_id, at_least = 0 }) => ({
    document: await describeCharge(ctx, document_id, at_least),
  }));
}
