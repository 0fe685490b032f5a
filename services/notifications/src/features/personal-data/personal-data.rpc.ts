import { exportRpc } from '@karaar/contracts/personal-data';
import type { Context } from '../../context.ts';
import { exportPage } from './personal-data.service.ts';

export async function personalDataRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(exportRpc.notifications, (request) => exportPage(ctx, request));
}
