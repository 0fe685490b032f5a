/** The audit log of admins: a row that cannot be changed, and an event for monitoring. */
import type { AdminAct } from '@karaar/contracts/admin';
import { authEvents } from '@karaar/contracts/auth/events';
import { inTransaction, uuidv7, type Tx } from '@karaar/platform/db-kit';
import { eachRow } from '@karaar/platform/keyset';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/schema.ts';
import { keepAct, listAudit, type AuditFilters, type AuditPage, type AuditRow } from './audit.repository.ts';

export type AuditEntry = {
  adminId: string;
  action:
    | 'user.deactivated'
    | 'user.reactivated'
    | 'users.exported'
    | 'audit.exported'
    | 'totp.enabled'
    | 'passkey.added'
    | 'passkey.removed'
    | 'recovery-codes.renewed'
    | 'dead-letter.retry-asked'
    | 'dead-letter.drop-asked'
    | 'admin.signed-in';
  targetId: string | null;
  /** How people call it. */
  target?: string;
  reason: string;
};

/** Call it in the transaction of what was done. */
export async function writeAudit(ctx: Context, tx: Tx<Database>, entry: AuditEntry): Promise<void> {
  const id = uuidv7();
  const { adminId, action, targetId, target = '', reason } = entry;
  await tx
    .insertInto('admin_audit')
    .values({ id, admin_id: adminId, action, target_id: targetId, target, reason })
    .execute();
  await ctx.outbox.add(tx, authEvents.adminActed, {
    aggregateId: id,
    aggregateVersion: 1,
    data: { audit_id: id, admin_id: adminId, action, target_id: targetId, at: new Date().toISOString() },
  });
}

/** Records an act of an admin in another service. A repeated event changes nothing. */
export const keepActOf = (tx: Tx<Database>, act: AdminAct): Promise<void> => keepAct(tx, act);

export const auditPage = (ctx: Context, page: AuditPage) => listAudit(ctx.db, page);

/** Rows that an export reads at a time. */
export const EXPORT_PAGE = 1_000;

/** The filters of an export, for its line in the log; the search text may be a phone number and is left out. */
export const filterNames = (filters: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(filters)
    .filter(([name, value]) => value && name !== 'search')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/**
 * The whole log for an export, which includes the line of the export itself. Throws before anything is written when a
 * filter is wrong.
 */
export async function exportAudit(
  ctx: Context,
  adminId: string,
  filters: AuditFilters,
): Promise<AsyncIterable<AuditRow>> {
  await listAudit(ctx.db, { ...filters, limit: 1 });
  await inTransaction(ctx.db, (tx) =>
    writeAudit(ctx, tx, {
      adminId,
      action: 'audit.exported',
      targetId: null,
      target: filterNames(filters),
      reason: '',
    }),
  );
  return eachRow((cursor) => listAudit(ctx.db, { ...filters, cursor, limit: EXPORT_PAGE }));
}
