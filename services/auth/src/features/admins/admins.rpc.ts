import { authRpc } from '@karaar/contracts/auth/rpc';
import type { Context } from '../../context.ts';
import { adminNameOf } from './admin-names.service.ts';

export async function adminsRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(authRpc.findAdmin, async ({ admin_id }) => {
    const username = await adminNameOf(ctx, admin_id);
    return { admin: username === undefined ? null : { username } };
  });
}
