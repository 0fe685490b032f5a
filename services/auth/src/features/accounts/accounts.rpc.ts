import { authRpc } from '@karaar/contracts/auth/rpc';
import type { Context } from '../../context.ts';
import { presentDirectoryUser } from './accounts.presenter.ts';
import { lookUpUser } from './accounts.service.ts';

export async function accountsRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(authRpc.findUser, async (by, { caller }) => {
    const user = await lookUpUser(ctx, by);
    return { user: user ? presentDirectoryUser(user, caller) : null };
  });
}
