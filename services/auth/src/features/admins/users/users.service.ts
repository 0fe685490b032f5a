import { inTransaction, isUuid } from '@karaar/db';
import type { Principal } from '@karaar/http/auth';
import { eachRow } from '@karaar/db/keyset';
import type { Context } from '../../../context.ts';
import { announceUpdate } from '../../accounts/accounts.service.ts';
import { setStatus, type UserRow } from '../../accounts/accounts.repository.ts';
import { listRevokedOf, revokeSessions } from '../../sessions/sessions.repository.ts';
import { announceEnd } from '../../sessions/sessions.service.ts';
import { noSuchUser } from '../admins.errors.ts';
import { EXPORT_PAGE, filterNames, writeAudit } from '../audit/audit.service.ts';
import { countUsers, listForAdmin, type UserFilters, type UserPage } from './users.repository.ts';

export const listUsersForAdmin = (ctx: Context, page: UserPage) => listForAdmin(ctx.db, page);

export const countAllUsers = (ctx: Context, days = 30) => countUsers(ctx.db, days);

export async function exportUsers(
  ctx: Context,
  adminId: string,
  filters: UserFilters,
): Promise<AsyncIterable<UserRow>> {
  await listForAdmin(ctx.db, { ...filters, limit: 1 });
  await inTransaction(ctx.db, (tx) =>
    writeAudit(ctx, tx, {
      adminId,
      action: 'users.exported',
      targetId: null,
      target: filterNames(filters),
      reason: '',
    }),
  );
  return eachRow((cursor) => listForAdmin(ctx.db, { ...filters, cursor, limit: EXPORT_PAGE }));
}

/**
 * Deactivates or activates an account; repeating the call changes nothing. The sessions of a deactivated
 * account end in the same transaction, and in every service within a second.
 */
export async function setActive(
  ctx: Context,
  principal: Principal,
  change: { userId: string; active: boolean; reason: string },
): Promise<UserRow> {
  const { userId, active, reason } = change;
  if (!isUuid(userId)) throw noSuchUser();
  const { user, ended } = await inTransaction(ctx.db, async (tx) => {
    const after = await setStatus(tx, userId, active ? 'active' : 'inactive');
    if (!after) throw noSuchUser();
    if (after.changed) {
      await writeAudit(ctx, tx, {
        adminId: principal.userId,
        action: active ? 'user.reactivated' : 'user.deactivated',
        targetId: userId,
        target: after.user.char_id,
        reason,
      });
      await announceUpdate(ctx, tx, after.user);
      if (!active) await revokeSessions(tx, userId);
    }
    // Announced even if nothing changed: an earlier call may have failed between the database and Redis.
    return { user: after.user, ended: active ? [] : await listRevokedOf(tx, userId) };
  });
  await announceEnd(ctx, ended);
  return user;
}
