import type { Tx } from '@karaar/platform/db-kit';
import { claimDue } from '@karaar/platform/worker';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, RefundsTable, TopUpOrdersTable } from '../../db/schema.ts';

export type RefundRow = Selectable<RefundsTable>;

/** How long a refund under way is left to the one who began it. */
const FIRST_CHECK_MS = 30_000;

export const findByKey = (db: Db, key: string): Promise<RefundRow | undefined> =>
  db.selectFrom('refunds').selectAll().where('idempotency_key', '=', key).executeTakeFirst();

export const findRefund = (db: Db, id: string): Promise<RefundRow> =>
  db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** The order that a payment settled, under a row lock: refunds of one payment are decided one after the other. */
export const lockPaidOrder = (
  tx: Tx<Database>,
  paymentId: string,
): Promise<Selectable<TopUpOrdersTable> | undefined> =>
  tx
    .selectFrom('top_up_orders')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .forUpdate()
    .executeTakeFirst();

/** Paise of a payment that went back or are on their way. */
export async function refundedPaise(tx: Tx<Database>, paymentId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('refunds')
    .select(sql<number>`coalesce(sum(amount_paise), 0)::bigint`.as('total'))
    .where('payment_id', '=', paymentId)
    .where('status', '<>', 'failed')
    .executeTakeFirstOrThrow();
  return total;
}

export const insertRefund = (
  tx: Tx<Database>,
  refund: Omit<RefundRow, 'status' | 'provider_refund_id' | 'next_check_at' | 'created_at' | 'updated_at'>,
): Promise<RefundRow> =>
  tx
    .insertInto('refunds')
    .values({
      ...refund,
      status: 'pending',
      provider_refund_id: null,
      next_check_at: new Date(Date.now() + FIRST_CHECK_MS),
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Forward only; undefined when another process was first. */
export const settleRefund = (
  tx: Tx<Database>,
  id: string,
  outcome: { status: 'processed'; providerRefundId: string } | { status: 'failed' },
): Promise<RefundRow | undefined> =>
  tx
    .updateTable('refunds')
    .set({
      status: outcome.status,
      provider_refund_id: outcome.status === 'processed' ? outcome.providerRefundId : null,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();

/** Refunds that were left in the middle; claims them until their next look. */
export const claimOpenRefunds = (db: Db, limit: number): Promise<RefundRow[]> =>
  claimDue<RefundRow>(db, {
    table: 'refunds',
    key: 'id',
    due: sql`status = 'pending' AND next_check_at <= now()`,
    order: sql`next_check_at`,
    limit,
    take: sql`next_check_at = now() + greatest(interval '30 seconds', (now() - created_at) / 2)`,
  });

/** Newest first (ids sort by time); `before` is the last id of the page before. */
export function listRefundRows(
  db: Db,
  filter: { paymentId?: string | undefined; before?: string | undefined; limit: number },
): Promise<RefundRow[]> {
  let query = db.selectFrom('refunds').selectAll();
  if (filter.paymentId) query = query.where('payment_id', '=', filter.paymentId);
  if (filter.before) query = query.where('id', '<', filter.before);
  return query.orderBy('id', 'desc').limit(filter.limit).execute();
}
