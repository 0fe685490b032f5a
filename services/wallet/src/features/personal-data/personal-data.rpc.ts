import { deletionRpc, exportRpc } from '@karaar/contracts/personal-data';
import type { Context } from '../../context.ts';
import { exportPage, findBlockers } from './personal-data.service.ts';

export async function personalDataRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(exportRpc.wallet, (request) => exportPage(ctx, request));
  await ctx.bus.serve(deletionRpc.wallet, ({ user_id }) => findBlockers(ctx, user_id));
}
