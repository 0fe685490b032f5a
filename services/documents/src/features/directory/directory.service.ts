/** Who a user is, from the local copy; the auth service is asked for one not seen yet (design §2.6). */
import { authRpc } from '@karaar/contracts/auth/rpc';
import type { Tx } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { userNotFound } from '../agreements/agreement.errors.ts';
import { findUser, upsertUser, type DirectoryUser } from './directory.repository.ts';

/** The active user with this 8-character ID, in either case. Throws 404 when there is none. */
export async function requireUserByCharId(ctx: Context, charId: string): Promise<DirectoryUser> {
  const user = (await findUser(ctx.db, { charId })) ?? (await ask(ctx, { char_id: charId.toUpperCase() }));
  if (!user?.is_active) throw userNotFound();
  return user;
}

/**
 * The user behind a signed-in caller. A profile that is incomplete here is asked for again, since the
 * caller may have completed it a moment ago.
 */
export async function requireCaller(ctx: Context, userId: string): Promise<DirectoryUser> {
  const known = await findUser(ctx.db, { userId });
  const user = known?.profile_complete ? known : ((await ask(ctx, { user_id: userId })) ?? known);
  if (!user) throw userNotFound();
  return user;
}

/** Takes over what the auth service announced; an older version than the known one changes nothing. */
export const rememberUser = (tx: Tx<Database>, user: DirectoryUser): Promise<void> => upsertUser(tx, user);

async function ask(
  ctx: Context,
  by: { user_id: string } | { char_id: string },
): Promise<DirectoryUser | undefined> {
  const { user } = await ctx.bus.request(authRpc.findUser, by);
  if (!user) return undefined;
  await upsertUser(ctx.db, user);
  return user;
}
