import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { deletionRpc, exportRpc } from '@karaar/contracts/personal-data';
import type { Context } from '../../context.ts';
import { exportPage, findBlockers, listPeople } from './personal-data.service.ts';

export async function personalDataRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(exportRpc.documents, (request) => exportPage(ctx, request));
  await ctx.bus.serve(deletionRpc.documents, ({ user_id }) => findBlockers(ctx, user_id));
  await ctx.bus.serve(documentsRpc.people, ({ cursor }) => listPeople(ctx, cursor));
}
