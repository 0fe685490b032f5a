import { authRpc } from '@karaar/contracts/auth/rpc';
import type { Context } from '../../context.ts';
import { isSessionActive } from './sessions.service.ts';

export async function sessionsRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(authRpc.sessionStatus, async ({ session_id }) => ({
    active: await isSessionActive(ctx, session_id),
  }));
}
