/** What admins do with accounts. */
import { inTransaction } from '@karaar/platform/db-kit';
import type { Principal } from '@karaar/platform/auth';
import type { Context } from '../../context.ts';
import { isUuid } from '../../ids.ts';
import { announceUpdate } from '../accounts/accounts.service.ts';
import { setStatus, type UserRow } from '../accounts/accounts.repository.ts';
import { listRevokedOf, revokeSessions } from '../sessions/sessions.repository.ts';
import { announceEnd } from '../sessions/sessions.service.ts';
import { noSuchUser } from './admins.errors.ts';
import { writeAudit } from './audit.service.ts';
import { listForAdmin, type AdminPage } from './users.repository.ts';

export async function listUsersForAdmin(ctx: Context, page: AdminPage): Promise<UserRow[]> {
  return listForAdmin(ctx.db, {
    ...page,
    cursor: page.cursor && isUuid(page.cursor) ? page.cursor : undefined,
  });
}

/**
 * Closes or opens an account; saying it twice changes nothing the second time. A closed one's sessions end in the
 * same transaction, and in every service within a second.
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
        reason,
      });
      await announceUpdate(ctx, tx, after.user);
      if (!active) await revokeSessions(tx, userId);
    }
    // Also where nothing changed: an earlier call may have failed between the record and Redis.
    return { user: after.user, ended: active ? [] : await listRevokedOf(tx, userId) };
  });
  await announceEnd(ctx, ended);
  return user;
}
