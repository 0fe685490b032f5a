/**
 * The documents that wait for the user, newest first. Each kind has its own index, so that the query reads
 * only the rows it returns.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { WorkDocument } from './work.ts';

/** Documents read per state; a user with more sees the newest. */
const MOST_OF_A_STATE = 50;

/** Includes documents that the user has only asked to join, and those with the user's earliest answer-by dates. */
export const openWork = (db: Db, userId: string): Promise<WorkDocument[]> =>
  workDocuments(
    db,
    sql`
      SELECT m.document_id AS id
      FROM unnest('{draft,pending,pending_approval,approved,rejected}'::text[]) AS s (status),
        LATERAL (
          SELECT document_id FROM my_documents
          WHERE user_id = ${userId} AND status = s.status
          ORDER BY document_id DESC LIMIT ${MOST_OF_A_STATE}
        ) m
      UNION
      (SELECT document_id FROM parties WHERE user_id = ${userId} AND state = 'requested'
       ORDER BY document_id DESC LIMIT ${MOST_OF_A_STATE})
      UNION
      (SELECT document_id FROM parties
       WHERE user_id = ${userId} AND answer_by IS NOT NULL AND state IN ('invited', 'admitted')
       ORDER BY answer_by LIMIT ${MOST_OF_A_STATE})
      UNION
      (SELECT id FROM documents WHERE primary_user = ${userId} AND status = 'finalized' AND NOT paid
       ORDER BY id DESC LIMIT ${MOST_OF_A_STATE})`,
  );

/** Returns one document as its parties' worklists need it. */
export const workOfDocument = async (db: Db, id: string): Promise<WorkDocument | undefined> =>
  (await workDocuments(db, sql`SELECT ${id}::uuid AS id`))[0];

/** @param ids a query that returns the ids as `id` */
async function workDocuments(db: Db, ids: RawBuilder<unknown>): Promise<WorkDocument[]> {
  const { rows } = await sql<WorkDocument>`
    WITH open AS (${ids})
    SELECT d.id, d.name, d.status, d.finalizing, d.cancelled, d.paid, p.parties,
      (SELECT count(*)::int FROM open_invitations i WHERE i.document_id = d.id AND i.state = 'open') AS open_invitations,
      d.status = 'finalized' AND coalesce((
        SELECT e.type = 'payment.completed' FROM document_events e
        WHERE e.document_id = d.id
          AND (e.type = 'payment.reversed' OR (e.type = 'payment.completed' AND e.actor_id = d.primary_user))
        ORDER BY e.seq DESC LIMIT 1
      ), false) AS creator_paid
    FROM open JOIN documents d USING (id), LATERAL (
      SELECT json_agg(json_build_object(
        'user_id', p.user_id, 'name', u.name, 'state', p.state, 'approved', p.approved, 'answer_by', p.answer_by
      ) ORDER BY p.position) AS parties
      FROM parties p LEFT JOIN directory u USING (user_id) WHERE p.document_id = d.id
    ) p
    ORDER BY d.changed_at DESC, d.id DESC`.execute(db);
  return rows;
}
