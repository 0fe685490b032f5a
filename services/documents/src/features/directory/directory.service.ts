import { forbidden, notFound } from '@karaar/base/errors';
import type { DirectoryEntry } from '@karaar/bus/directory';
import type { Context } from '../../context.ts';

const userNotFound = () => notFound('user_not_found', 'No user has this ID. Check it with the other person.');
const profileIncomplete = () =>
  forbidden('profile_incomplete', 'Please complete your basic profile information first');

/** Returns the active user with this 8-character ID, in upper or lower case. Throws 404 if no user has it. */
export async function requireUserByCharId(ctx: Context, charId: string): Promise<DirectoryEntry> {
  const user = await ctx.directory.findByCharId(charId);
  if (!user?.is_active) throw userNotFound();
  return user;
}

/**
 * Returns the signed-in caller. Requests an incomplete profile from auth again, since the caller may have
 * completed it a moment ago.
 */
export async function requireCaller(ctx: Context, userId: string): Promise<DirectoryEntry> {
  const known = await ctx.directory.findById(userId);
  const user = known?.profile_complete ? known : ((await ctx.directory.refresh(userId)) ?? known);
  if (!user) throw userNotFound();
  return user;
}

/** Throws 403 if the caller's profile is incomplete. */
export async function requireCompleteProfile(ctx: Context, userId: string): Promise<void> {
  const { profile_complete } = await requireCaller(ctx, userId);
  if (!profile_complete) throw profileIncomplete();
}
