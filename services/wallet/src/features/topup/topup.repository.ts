import type { Tx } from '@karaar/db';
import { claimDue } from '@karaar/db/claims';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, TopUpOrdersTable } from '../../db/schema.ts';

export type OrderRow = Selectable<TopUpOrdersTable>;

const FIRST_CHECK_MS = 5_000;
/** A day longer than banks may take to approve a payment late. */
const EXPIRES = sql`interval '6 days'`;
const MOST_RECENT = 20;

export const insertOrder = (
  db: Db,
  order: { id: string; userId: string; amountPaise: number; currency: string },
): Promise<OrderRow> =>
  db
    .insertInto('top_up_orders')
    .values({
      id: order.id,
      user_id: order.userId,
      amount_paise: order.amountPaise,
      currency: order.currency,
      status: 'created',
      payment_id: null,
      next_check_at: new Date(Date.now() + FIRST_CHECK_MS),
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export async function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom('top_up_orders').selectAll().where('id', '=', id).executeTakeFirst();
}

/** `noted`: its payment waits for the admins, who have `decided` about it otherwise. */
export type RecentOrder = OrderRow & { noted: boolean; decided: boolean };

const exceptionOf = (condition: ReturnType<typeof sql>) => sql<boolean>`EXISTS (
  SELECT FROM payment_exceptions e
  WHERE e.order_id = top_up_orders.id AND e.kind = 'payment_uncredited' AND ${condition}
)`;

/** Returns the user's newest orders that can still be credited by themselves. */
export const recentOrders = (db: Db, userId: string): Promise<RecentOrder[]> =>
  db
    .selectFrom('top_up_orders')
    .selectAll()
    .select([
      exceptionOf(sql`e.state <> 'resolved'`).as('noted'),
      exceptionOf(sql`e.confirmed_by IS NOT NULL`).as('decided'),
    ])
    .where('user_id', '=', userId)
    .where('created_at', '>', sql<Date>`now() - ${EXPIRES}`)
    .orderBy('created_at', 'desc')
    .limit(MOST_RECENT)
    .execute();

/** Records that the checkout returned a payment for an open order. */
export async function markAnswered(db: Db, id: string): Promise<void> {
  await db
    .updateTable('top_up_orders')
    .set({ answered_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'created')
    .execute();
}

export async function isCredited(db: Db, paymentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('top_up_orders')
    .select('id')
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the order, so that verify, webhook and reconciler of one order run one after the other. */
export async function lockOrder(tx: Tx<Database>, id: string): Promise<OrderRow | undefined> {
  return tx.selectFrom('top_up_orders').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export const markPaid = (
  tx: Tx<Database>,
  id: string,
  paid: { paymentId: string; feePaise: number },
): Promise<OrderRow> =>
  tx
    .updateTable('top_up_orders')
    .set({ status: 'paid', payment_id: paid.paymentId, fee_paise: paid.feePaise, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Marks an open order as failed; a paid one never becomes failed. Returns the order if this changed it. */
export const markFailed = (db: Db, id: string): Promise<OrderRow | undefined> =>
  db
    .updateTable('top_up_orders')
    .set({ status: 'failed', updated_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'created')
    .returningAll()
    .executeTakeFirst();

/** Claims orders whose callbacks may be lost until their next check, after growing pauses. */
export const claimOrdersToCheck = (db: Db, limit: number): Promise<OrderRow[]> =>
  claimDue<OrderRow>(db, {
    table: 'top_up_orders',
    key: 'id',
    due: sql`status <> 'paid' AND next_check_at <= now() AND created_at > now() - ${EXPIRES}`,
    order: sql`next_check_at`,
    limit,
    take: sql`next_check_at = now() + least(greatest(interval '5 seconds', (now() - created_at) / 2), interval '6 hours')`,
  });

/**
 * Ends abandoned orders: they become failed and are no longer checked. A later webhook still credits them.
 * @returns those that were open until now
 */
export const expireOrders = async (tx: Tx<Database>, limit: number): Promise<OrderRow[]> => {
  const { rows } = await sql<OrderRow & { was: OrderRow['status'] }>`
    UPDATE top_up_orders o SET status = 'failed', next_check_at = 'infinity',
      updated_at = CASE old.status WHEN 'created' THEN now() ELSE o.updated_at END
    FROM (
      SELECT id, status FROM top_up_orders
      WHERE status <> 'paid' AND next_check_at <= now() AND created_at <= now() - ${EXPIRES}
      ORDER BY next_check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) AS old
    WHERE o.id = old.id
    RETURNING o.*, old.status AS was`.execute(tx);
  return rows.filter(({ was }) => was === 'created').map(({ was: _, ...order }) => order);
};
