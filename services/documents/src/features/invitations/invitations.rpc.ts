import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { Context } from '../../context.ts';
import { contactOf } from './accepting.service.ts';

export async function invitationsRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(documentsRpc.invitationContact, ({ token_hash }) => contactOf(ctx, token_hash));
}
