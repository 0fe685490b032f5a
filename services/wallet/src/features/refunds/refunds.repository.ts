import type { Tx } from '@karaar/db';
import { claimDue, inMs, isFree } from '@karaar/db/claims';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, RefundsTable, TopUpOrdersTable } from '../../db/schema.ts';
import { feeGoingBack } from '../provider/fee-on-top.ts';

export type RefundRow = Selectable<RefundsTable>;

export const LEASE_MS = 30_000;

export const findByKey = (db: Db, key: string): Promise<RefundRow | undefined> =>
  db.selectFrom('refunds').selectAll().where('idempotency_key', '=', key).executeTakeFirst();

export const findRefund = (db: Db, id: string): Promise<RefundRow> =>
  db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export type PaidOrder = Selectable<TopUpOrdersTable>;

/** Locks the order that a payment settled, so that refunds of one payment are decided one after the other. */
export const lockPaidOrder = (tx: Tx<Database>, paymentId: string): Promise<PaidOrder | undefined> =>
  tx
    .selectFrom('top_up_orders')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .forUpdate()
    .executeTakeFirst();

/**
 * Returns the paise of an order that are refunded or pending, without the fee on top, which was never in a
 * wallet.
 */
export async function refundedPaise(tx: Tx<Database>, paymentId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('refunds')
    .select(sql<number>`coalesce(sum(amount_paise - fee_paise), 0)::bigint`.as('total'))
    .where('payment_id', '=', paymentId)
    .where('status', '<>', 'failed')
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * Returns the fee's part of a refund or dispute made outside Karaar, in paise (`feeGoingBack`). The caller
 * has locked the order.
 */
export async function feePartOf(tx: Tx<Database>, order: PaidOrder, amountPaise: number): Promise<number> {
  if (order.fee_paise === 0) return 0;
  const { rows } = await sql<{ wallet: number; fee: number }>`
    SELECT coalesce(sum(amount_paise - fee_paise), 0)::bigint AS wallet, coalesce(sum(fee_paise), 0)::bigint AS fee
    FROM (
      SELECT amount_paise, fee_paise FROM refunds WHERE payment_id = ${order.payment_id} AND status <> 'failed'
      UNION ALL
      SELECT amount_paise, fee_paise FROM disputes WHERE payment_id = ${order.payment_id} AND status <> 'won'
    ) gone`.execute(tx);
  const { wallet = 0, fee = 0 } = rows[0] ?? {};
  return feeGoingBack(
    amountPaise,
    { walletPaise: order.amount_paise, feePaise: order.fee_paise },
    { walletPaise: wallet, feePaise: fee },
  );
}

export type NewRefund = Pick<
  RefundRow,
  'id' | 'idempotency_key' | 'order_id' | 'payment_id' | 'user_id' | 'amount_paise' | 'reason' | 'admin_id'
> &
  Partial<Pick<RefundRow, 'status' | 'provider_refund_id' | 'made_by' | 'short_paise' | 'fee_paise'>>;

export const walletPartOf = (refund: Pick<RefundRow, 'amount_paise' | 'short_paise' | 'fee_paise'>): number =>
  refund.amount_paise - refund.short_paise - refund.fee_paise;

/** Inserts a refund that the caller holds as if it had claimed it. */
export const insertRefund = (tx: Tx<Database>, refund: NewRefund): Promise<RefundRow> =>
  tx
    .insertInto('refunds')
    .values({
      status: 'pending',
      provider_refund_id: null,
      next_check_at: new Date(),
      attempts: 1,
      lease_until: inMs(LEASE_MS),
      ...refund,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Locks and returns a refund by the provider's id, or by ours. */
export async function lockByProvider(
  tx: Tx<Database>,
  refund: { id: string; paymentId: string; receipt: string | null },
): Promise<RefundRow | undefined> {
  const { rows } = await sql<RefundRow>`
    SELECT * FROM refunds
    WHERE provider_refund_id = ${refund.id}
      OR id::text = ${refund.receipt} AND payment_id = ${refund.paymentId} AND provider_refund_id IS NULL
        AND status = 'pending'
    FOR UPDATE`.execute(tx);
  return rows[0];
}

/**
 * Moves a refund forward only: to `processed` from `pending`, to `failed` from either. Returns undefined if
 * it is there already.
 */
export const settleRefund = (
  tx: Tx<Database>,
  id: string,
  outcome: { status: 'processed' | 'failed'; providerRefundId?: string },
): Promise<RefundRow | undefined> =>
  tx
    .updateTable('refunds')
    .set({
      status: outcome.status,
      ...(outcome.providerRefundId === undefined ? {} : { provider_refund_id: outcome.providerRefundId }),
      lease_until: null,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('status', 'in', outcome.status === 'processed' ? ['pending'] : ['pending', 'processed'])
    .returningAll()
    .executeTakeFirst();

/** Stores that the provider has accepted the refund, which is not processed yet. */
export async function noteTaken(db: Db, id: string, providerRefundId: string): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ provider_refund_id: providerRefundId, updated_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Claims the next due refund that no worker holds. */
export async function claimRefund(db: Db): Promise<RefundRow | undefined> {
  const [refund] = await claimDue<RefundRow>(db, {
    table: 'refunds',
    key: 'id',
    due: sql`status = 'pending' AND next_check_at <= now() AND ${isFree('lease_until')}`,
    order: sql`next_check_at`,
    limit: 1,
    take: sql`attempts = attempts + 1, lease_until = ${inMs(LEASE_MS)}`,
  });
  return refund;
}

/** Extends the lease; returns false if another worker has taken the refund, or it is settled. */
export async function keepRefund(db: Db, refund: RefundRow): Promise<boolean> {
  const done = await db
    .updateTable('refunds')
    .set({ lease_until: inMs(LEASE_MS) })
    .where('id', '=', refund.id)
    .where('attempts', '=', refund.attempts)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Releases a refund that is still open; a worker tries it again after growing pauses. */
export async function leaveRefund(db: Db, refund: RefundRow): Promise<void> {
  await sql`
    UPDATE refunds SET lease_until = NULL,
      next_check_at = now() + least(greatest(interval '30 seconds', (now() - created_at) / 2), interval '6 hours')
    WHERE id = ${refund.id} AND attempts = ${refund.attempts} AND status = 'pending'`.execute(db);
}

/** Returns a page, newest first (ids sort by time). `before` is the last id of the previous page. */
export function listRefundRows(
  db: Db,
  filter: { paymentId?: string | undefined; before?: string | undefined; limit: number },
): Promise<RefundRow[]> {
  let query = db.selectFrom('refunds').selectAll();
  if (filter.paymentId) query = query.where('payment_id', '=', filter.paymentId);
  if (filter.before) query = query.where('id', '<', filter.before);
  return query.orderBy('id', 'desc').limit(filter.limit).execute();
}
