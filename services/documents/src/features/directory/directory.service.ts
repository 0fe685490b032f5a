/** The caller's profile, and the user with an 8-character ID. */
import { forbidden, notFound } from '@karaar/platform/errors';
import type { DirectoryEntry } from '@karaar/platform/directory';
import type { Context } from '../../context.ts';

const userNotFound = () => notFound('user_not_found', 'No user has this ID. Check it with the other person.');
const profileIncomplete = () =>
  forbidden('profile_incomplete', 'Please complete your basic profile information first');

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

/** The same, of a caller whose profile is complete. Throws 403 otherwise. */
export async function requireCompleteProfile(ctx: Context, userId: string): Promise<void> {
  const { profile_complete } = await requireCaller(ctx, userId);
  if (!profile_complete) throw profileIncomplete();
}
