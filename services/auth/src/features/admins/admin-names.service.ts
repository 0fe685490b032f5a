import { isUuid } from '@karaar/db';
import type { Context } from '../../context.ts';
import { findAdminById } from './admins.repository.ts';

export async function adminNameOf(ctx: Context, id: string): Promise<string | undefined> {
  return isUuid(id) ? (await findAdminById(ctx.db, id))?.username : undefined;
}
