import type { Tx } from '@karaar/platform/db-kit';
import { claimDue, inMs, isFree } from '@karaar/platform/worker';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, RefundsTable, TopUpOrdersTable } from '../../db/schema.ts';
import { feeGoingBack } from '../provider/fee-on-top.ts';

export type RefundRow = Selectable<RefundsTable>;

/** How long a refund is left to the one who carries it out, between two of its beats. */
export const LEASE_MS = 30_000;

export const findByKey = (db: Db, key: string): Promise<RefundRow | undefined> =>
  db.selectFrom('refunds').selectAll().where('idempotency_key', '=', key).executeTakeFirst();

export const findRefund = (db: Db, id: string): Promise<RefundRow> =>
  db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export type PaidOrder = Selectable<TopUpOrdersTable>;

/** The order that a payment settled, under a row lock: refunds of one payment are decided one after the other. */
export const lockPaidOrder = (tx: Tx<Database>, paymentId: string): Promise<PaidOrder | undefined> =>
  tx
    .selectFrom('top_up_orders')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .forUpdate()
    .executeTakeFirst();

/** Paise of an order's amount that went back or are on their way: without the fee on top, which no wallet got. */
export async function refundedPaise(tx: Tx<Database>, paymentId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('refunds')
    .select(sql<number>`coalesce(sum(amount_paise - fee_paise), 0)::bigint`.as('total'))
    .where('payment_id', '=', paymentId)
    .where('status', '<>', 'failed')
    .executeTakeFirstOrThrow();
  return total;
}

/** The part of a refund or a dispute that is made outside Karaar, in paise, by `feeGoingBack`. The caller holds the order. */
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

/** The part of a refund that comes out of the wallet. */
export const walletPartOf = (refund: Pick<RefundRow, 'amount_paise' | 'short_paise' | 'fee_paise'>): number =>
  refund.amount_paise - refund.short_paise - refund.fee_paise;

/** Held by the one who inserts it, as if it had been claimed. */
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

/** The refund that the provider names, by its own name or by ours, under a row lock. */
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

/** Forward only: to done from waiting, to failed from either. Undefined when it is there already. */
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

/** The provider has taken it and not done it yet. */
export async function noteTaken(db: Db, id: string, providerRefundId: string): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ provider_refund_id: providerRefundId, updated_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Takes the next refund that is due and that nobody carries out. */
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

/** Makes the lease longer; false when another worker has taken the refund, or it is settled. */
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

/** Lets go of a refund that is open still; it is looked at again later, and ever later. */
export async function leaveRefund(db: Db, refund: RefundRow): Promise<void> {
  await sql`
    UPDATE refunds SET lease_until = NULL,
      next_check_at = now() + least(greatest(interval '30 seconds', (now() - created_at) / 2), interval '6 hours')
    WHERE id = ${refund.id} AND attempts = ${refund.attempts} AND status = 'pending'`.execute(db);
}

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
