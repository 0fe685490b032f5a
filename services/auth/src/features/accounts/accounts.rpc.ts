import { authRpc } from '@karaar/contracts/auth/rpc';
import type { Context } from '../../context.ts';
import { presentDirectoryUser } from './accounts.presenter.ts';
import { userLookUp } from './accounts.service.ts';

export async function accountsRpc(ctx: Context): Promise<void> {
  const lookUp = userLookUp(ctx);
  await ctx.bus.serve(
    authRpc.findUser,
    async (by, { caller }) => {
      const user = await lookUp(by);
      return { user: user ? presentDirectoryUser(user, caller) : null };
      // A batch of events looks up to a hundred users up at once.
    },
    { concurrency: 1_000 },
  );
}
