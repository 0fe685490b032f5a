/** The caller's profile, and the user with an 8-character ID. */
import type { DirectoryEntry } from '@karaar/platform/directory';
import type { Context } from '../../context.ts';
import { userNotFound } from '../agreements/rules/agreement.errors.ts';

/** The active user with this 8-character ID, in either case. Throws 404 when there is none. */
export async function requireUserByCharId(ctx: Context, charId: string): Promise<DirectoryEntry> {
  const user = await ctx.directory.findByCharId(charId);
  if (!user?.is_active) throw userNotFound();
  return user;
}

/**
 * The user behind a signed-in caller. A profile that is incomplete here is asked for again, since the
 * caller may have completed it a moment ago.
 */
export async function requireCaller(ctx: Context, userId: string): Promise<DirectoryEntry> {
  const known = await ctx.directory.findById(userId);
  const user = known?.profile_complete ? known : ((await ctx.directory.refresh(userId)) ?? known);
  if (!user) throw userNotFound();
  return user;
}
