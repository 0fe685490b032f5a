import { authRpc } from '@karaar/contracts/auth/rpc';
import type { Context } from '../../context.ts';
import { isUuid } from '../../ids.ts';
import { findAdminById } from './admins.repository.ts';

export async function adminsRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(authRpc.findAdmin, async ({ admin_id }) => {
    const admin = isUuid(admin_id) ? await findAdminById(ctx.db, admin_id) : undefined;
    return { admin: admin ? { username: admin.username } : null };
  });
}
