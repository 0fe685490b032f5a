import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Whether money may still arrive or leave: an order younger than an hour that is not settled, or a refund. */
export async function hasOpenTopUp(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    SELECT EXISTS (
      SELECT FROM top_up_orders
      WHERE user_id = ${userId} AND status = 'created' AND created_at > now() - interval '1 hour'
    ) OR EXISTS (SELECT FROM refunds WHERE user_id = ${userId} AND status = 'pending') AS open`.execute(db);
  return rows[0]?.open === true;
}
