import type { AdminAct } from '@karaar/contracts/admin';
import type { Tx } from '@karaar/db';
import { all, cut, inDays, keyset, type KeysetSort, type Placed } from '@karaar/db/keyset';
import { sql, type Selectable } from 'kysely';
import type { AdminAuditTable, Database, Db } from '../../../db/schema.ts';

export type AuditRow = Selectable<AdminAuditTable> & { admin_name: string | null };
export type AuditFilters = {
  action?: string | undefined;
  search?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};
export type AuditPage = AuditFilters & { cursor?: string | undefined; limit?: number | undefined };

const SORTS = {
  newest: { column: 'at', cast: 'timestamptz', direction: 'desc' },
} as const satisfies Record<string, KeysetSort>;

/** Records an act in another service once, even if its event is delivered again. */
export async function keepAct(tx: Tx<Database>, act: AdminAct): Promise<void> {
  await tx
    .insertInto('admin_audit')
    .values({
      id: act.audit_id,
      admin_id: act.admin_id,
      action: act.action,
      target_id: act.target_id,
      target: act.target,
      reason: act.reason,
      at: new Date(act.at),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Returns a page, newest first. `action` matches one action exactly (`user.deactivated`), or all of an area
 * (`user`).
 */
export async function listAudit(
  db: Db,
  { action, search, from, to, cursor, limit = 50 }: AuditPage,
): Promise<{ items: (AuditRow & Placed)[]; nextCursor: string | null }> {
  const { key, orderBy, after } = keyset(SORTS, 'newest', cursor);
  const text = search?.trim();
  const admin = text
    ? await db.selectFrom('admins').select('id').where('username', '=', text).executeTakeFirst()
    : undefined;
  const conditions = [
    after,
    ...(action?.includes('.') ? [sql<boolean>`action = ${action}`] : []),
    ...(action && !action.includes('.') ? [sql<boolean>`starts_with(action, ${`${action}.`})`] : []),
    ...(admin ? [sql<boolean>`admin_id = ${admin.id}::uuid`] : []),
    ...(text && !admin ? [sql<boolean>`target_id = ${text}`] : []),
    ...inDays('at', { from, to }),
  ];
  const { rows } = await sql<AuditRow & Placed>`
    SELECT page.*, admins.username AS admin_name FROM (
      SELECT *, ${key} AS page_key FROM admin_audit
      WHERE ${all(conditions)} ORDER BY ${orderBy} LIMIT ${limit + 1}
    ) page LEFT JOIN admins ON admins.id = page.admin_id
    ORDER BY page.at DESC, page.id DESC`.execute(db);
  return cut(rows, limit, 'newest');
}
