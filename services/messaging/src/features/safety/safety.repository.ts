import { uuidv7, type Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

export async function putBlock(db: Db, userId: string, blockedId: string): Promise<void> {
  await db
    .insertInto('blocks')
    .values({ user_id: userId, blocked_id: blockedId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function removeBlock(db: Db, userId: string, blockedId: string): Promise<void> {
  await db.deleteFrom('blocks').where('user_id', '=', userId).where('blocked_id', '=', blockedId).execute();
}

/** Files a report. It replaces the text of an open report of the same two users. */
export async function putReport(
  db: Db,
  report: { reporterId: string; reportedId: string; reason: string; details: string },
): Promise<void> {
  await sql`
    INSERT INTO reports (id, reporter_id, reported_id, reason, details)
    VALUES (${uuidv7()}, ${report.reporterId}, ${report.reportedId}, ${report.reason}, ${report.details})
    ON CONFLICT (reporter_id, reported_id) WHERE resolved_at IS NULL
    DO UPDATE SET reason = excluded.reason, details = excluded.details`.execute(db);
}

/** Files an automatic report. It replaces the text of an open one with the same reason. */
export async function putOwnReport(
  tx: Tx<Database>,
  report: { reportedId: string; reason: string; details: string },
): Promise<void> {
  await sql`
    INSERT INTO reports (id, reporter_id, reported_id, reason, details)
    VALUES (${uuidv7()}, NULL, ${report.reportedId}, ${report.reason}, ${report.details})
    ON CONFLICT (reported_id, reason) WHERE resolved_at IS NULL AND reporter_id IS NULL
    DO UPDATE SET details = excluded.details`.execute(tx);
}

export type ReportRow = {
  id: string;
  reason: string;
  details: string;
  created_at: Date;
  resolved_at: Date | null;
  note: string;
  reporter_id: string | null;
  reporter_name: string;
  reporter_char_id: string;
  reported_id: string;
  reported_name: string;
  reported_char_id: string;
};

const columns = sql`
  SELECT r.id, r.reason, r.details, r.created_at, r.resolved_at, r.note,
    r.reporter_id, coalesce(a.name, '') AS reporter_name, coalesce(a.char_id, '') AS reporter_char_id,
    r.reported_id, coalesce(b.name, '') AS reported_name, coalesce(b.char_id, '') AS reported_char_id
  FROM reports r
  LEFT JOIN directory a ON a.user_id = r.reporter_id
  LEFT JOIN directory b ON b.user_id = r.reported_id`;

export async function listReports(
  db: Db,
  page: { status?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<ReportRow[]> {
  const status = page.status ?? '';
  const { rows } = await sql<ReportRow>`
    ${columns}
    WHERE (${status} = '' OR (r.resolved_at IS NOT NULL) = (${status} = 'resolved'))
      ${page.cursor ? sql`AND r.id < ${page.cursor}::uuid` : sql``}
    ORDER BY r.id DESC LIMIT ${page.limit}`.execute(db);
  return rows;
}

export async function findReport(db: Db | Tx<Database>, id: string): Promise<ReportRow | undefined> {
  const { rows } = await sql<ReportRow>`${columns} WHERE r.id = ${id}`.execute(db);
  return rows[0];
}

/** Closes a report. Returns false if it is closed already, and then changes nothing. */
export async function closeReport(
  tx: Tx<Database>,
  report: { id: string; adminId: string; note: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('reports')
    .set({ resolved_at: new Date(), resolved_by: report.adminId, note: report.note })
    .where('id', '=', report.id)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes a deleted user's blocks and the texts of their reports; the reports stay. */
export async function forgetUser(tx: Tx<Database>, userId: string): Promise<void> {
  await sql`DELETE FROM blocks WHERE user_id = ${userId} OR blocked_id = ${userId}`.execute(tx);
  await sql`UPDATE reports SET details = '' WHERE reporter_id = ${userId}`.execute(tx);
}
