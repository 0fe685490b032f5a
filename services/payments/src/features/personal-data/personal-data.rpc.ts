import { deletionRpc, exportRpc } from '@karaar/contracts/personal-data';
import type { Context } from '../../context.ts';
import { exportPage, findBlockers } from './personal-data.service.ts';

export async function personalDataRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(exportRpc.payments, (request) => exportPage(ctx, request));
  await ctx.bus.serve(deletionRpc.payments, ({ user_id }) => findBlockers(ctx, user_id));
}
