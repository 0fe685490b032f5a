import type { Db } from '../../db/schema.ts';
import { sql } from 'kysely';

/** The earliest missing answer of a document that its creator has cancelled after its date. */
export type Late = {
  document_id: string;
  primary_user: string;
  /** Null for an open invitation. */
  user_id: string | null;
  answer_by: string;
};

/**
 * Returns waiting documents with a missing answer whose day has passed, by id, if their creators chose that Karaar
 * then cancels them.
 *
 * @param today `YYYY-MM-DD` in India
 * @param which one document, or a page of all
 */
export async function findLate(
  db: Db,
  today: string,
  which: { only: string } | { after: string | null; limit: number },
): Promise<Late[]> {
  const those =
    'only' in which
      ? sql`d.id = ${which.only}`
      : sql`(${which.after}::uuid IS NULL OR d.id > ${which.after}::uuid)`;
  const { rows } = await sql<Late>`
    SELECT d.id AS document_id, d.primary_user, l.user_id, l.answer_by
    FROM documents d, LATERAL (
      SELECT user_id, answer_by FROM parties
      WHERE document_id = d.id AND answer_by < ${today} AND state IN ('invited', 'admitted') AND NOT approved
      UNION ALL
      SELECT NULL, answer_by FROM open_invitations
      WHERE document_id = d.id AND answer_by < ${today} AND state = 'open'
      ORDER BY answer_by, user_id LIMIT 1
    ) l
    WHERE d.cancel_late AND d.status IN ('pending', 'pending_approval') AND ${those}
    ORDER BY d.id LIMIT ${'only' in which ? 1 : which.limit}`.execute(db);
  return rows;
}
