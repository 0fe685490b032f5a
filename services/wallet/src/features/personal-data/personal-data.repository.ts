import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Limits the number of calls of the provider. */
const MOST_ORDERS = 5;

export async function hasOpenRefund(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    SELECT EXISTS (SELECT FROM refunds WHERE user_id = ${userId} AND status = 'pending')
      OR EXISTS (SELECT FROM disputes WHERE user_id = ${userId} AND status = 'open') AS open`.execute(db);
  return rows[0]?.open === true;
}

/**
 * Returns the newest orders that are not known to be paid and that a bank may still approve. Orders with a
 * failed attempt count, because another attempt may be in progress.
 */
export async function unpaidOrders(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM top_up_orders
    WHERE user_id = ${userId} AND status <> 'paid' AND created_at > now() - interval '6 days'
    ORDER BY created_at DESC LIMIT ${MOST_ORDERS}`.execute(db);
  return rows.map(({ id }) => id);
}
