/** The admins' trail: a row that nobody can change, and the fact for whoever keeps watch. */
import { authEvents } from '@karaar/contracts/auth/events';
import { uuidv7, type Tx } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';

export type AuditEntry = {
  adminId: string;
  action: 'user.deactivated' | 'user.reactivated' | 'totp.enabled';
  targetId: string | null;
  reason: string;
};

/** Call it in the transaction of what was done. */
export async function writeAudit(ctx: Context, tx: Tx<Database>, entry: AuditEntry): Promise<void> {
  const id = uuidv7();
  const { adminId, action, targetId, reason } = entry;
  await tx
    .insertInto('admin_audit')
    .values({ id, admin_id: adminId, action, target_id: targetId, reason })
    .execute();
  await ctx.outbox.add(tx, authEvents.adminActed, {
    aggregateId: id,
    aggregateVersion: 1,
    data: { audit_id: id, admin_id: adminId, action, target_id: targetId, at: new Date().toISOString() },
  });
}
