import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

export type Expiring = { document_id: string; primary_user: string; involved_users: string[] };

/**
 * Marks up to `limit` agreements as announced and returns them; concurrent processes get different ones.
 *
 * @param today `YYYY-MM-DD` in India
 * @param missedDays how many days late an agreement is still announced
 */
export async function takeExpiring(
  tx: Tx<Database>,
  today: string,
  { days, missedDays, limit }: { days: number; missedDays: number; limit: number },
): Promise<Expiring[]> {
  const { rows } = await sql<Expiring>`
    WITH due AS (
      SELECT d.id FROM documents d
      WHERE d.status = 'finalized'
        AND d.end_date <= to_char(${today}::date + ${days}::int, 'YYYY-MM-DD')
        AND d.end_date > to_char(${today}::date + ${days}::int - ${missedDays}::int, 'YYYY-MM-DD')
        -- The parties of a newly sealed agreement have just read its end date.
        AND d.finalized_at < now() - interval '1 day'
        AND NOT EXISTS (SELECT FROM expiry_tellings t WHERE t.document_id = d.id)
      ORDER BY d.end_date LIMIT ${limit}
    ), taken AS (
      INSERT INTO expiry_tellings (document_id) SELECT id FROM due
      ON CONFLICT (document_id) DO NOTHING RETURNING document_id
    )
    SELECT d.id AS document_id, d.primary_user,
      (SELECT array_agg(p.user_id ORDER BY p.position) FROM parties p
       WHERE p.document_id = d.id AND p.state <> 'requested') AS involved_users
    FROM taken JOIN documents d ON d.id = taken.document_id`.execute(tx);
  return rows;
}
