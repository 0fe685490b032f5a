import type { AdminAct } from '@karaar/contracts/admin';
import { authEvents } from '@karaar/contracts/auth/events';
import { inTransaction, uuidv7, type Tx } from '@karaar/db';
import { eachRow } from '@karaar/db/keyset';
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
  /** The target's name for people. */
  target?: string;
  reason: string;
};

/** Writes the audit row. Call it in the transaction of the act. */
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

export const keepActOf = (tx: Tx<Database>, act: AdminAct): Promise<void> => keepAct(tx, act);

export const auditPage = (ctx: Context, page: AuditPage) => listAudit(ctx.db, page);

export const EXPORT_PAGE = 1_000;

/**
 * Returns the filters of an export as text for the audit log. The search text is left out, because it may be
 * a phone number.
 */
export const filterNames = (filters: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(filters)
    .filter(([name, value]) => value && name !== 'search')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/**
 * Returns the whole log for an export, including the row about this export.
 * @throws before any output if a filter is wrong
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
