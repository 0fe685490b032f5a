import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Each is asked for at the provider. */
const MOST_ORDERS = 5;

/** Whether money is on its way back to a card. */
export async function hasOpenRefund(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    SELECT EXISTS (SELECT FROM refunds WHERE user_id = ${userId} AND status = 'pending')
      OR EXISTS (SELECT FROM disputes WHERE user_id = ${userId} AND status = 'open') AS open`.execute(db);
  return rows[0]?.open === true;
}

/**
 * The newest orders that nobody has paid as far as we know, as far back as a bank may still approve a payment: also those
 * of which an attempt failed, since another one may be on its way.
 */
export async function unpaidOrders(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM top_up_orders
    WHERE user_id = ${userId} AND status <> 'paid' AND created_at > now() - interval '6 days'
    ORDER BY created_at DESC LIMIT ${MOST_ORDERS}`.execute(db);
  return rows.map(({ id }) => id);
}
