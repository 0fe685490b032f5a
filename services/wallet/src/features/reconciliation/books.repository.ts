import type { ExceptionKind } from '@karaar/contracts/wallet/exceptions';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { DisputeRow } from '../disputes/disputes.repository.ts';
import type { RefundRow } from '../refunds/refunds.repository.ts';
import type { OrderRow } from '../topup/topup.repository.ts';

type Ids = readonly string[];
const byName = <Row>(rows: readonly Row[], name: (row: Row) => string | null): Map<string, Row> =>
  new Map(rows.map((row) => [name(row) ?? '', row]));

/** Returns the orders that these payments settled, by payment. */
export const ordersPaidBy = async (db: Db, payments: Ids): Promise<Map<string, OrderRow>> =>
  byName(
    await db.selectFrom('top_up_orders').selectAll().where('payment_id', 'in', payments).execute(),
    ({ payment_id }) => payment_id,
  );

/** Returns the captured amount of a paid order in paise: its amount plus the fee on top. */
export const capturedFor = (order: Pick<OrderRow, 'amount_paise' | 'fee_paise'>): number =>
  order.amount_paise + order.fee_paise;

export const refundsNamed = async (db: Db, refunds: Ids): Promise<Map<string, RefundRow>> =>
  byName(
    await db.selectFrom('refunds').selectAll().where('provider_refund_id', 'in', refunds).execute(),
    ({ provider_refund_id }) => provider_refund_id,
  );

export const disputesNamed = async (db: Db, disputes: Ids): Promise<Map<string, DisputeRow>> =>
  byName(await db.selectFrom('disputes').selectAll().where('id', 'in', disputes).execute(), ({ id }) => id);

/**
 * Returns those subjects that have an exception: unresolved ones of these kinds, or any if no kinds are
 * given.
 */
export async function withException(
  db: Db,
  subjects: Ids,
  open?: readonly ExceptionKind[],
): Promise<Set<string>> {
  let query = db.selectFrom('payment_exceptions').select('subject').where('subject', 'in', subjects);
  if (open) query = query.where('kind', 'in', open).where('state', '<>', 'resolved');
  return new Set((await query.execute()).map(({ subject }) => subject));
}

/** Returns those refunds that two admins have decided. */
export async function cardRefundsNamed(db: Db, refunds: Ids): Promise<Set<string>> {
  const rows = await db
    .selectFrom('payment_exceptions')
    .select('provider_refund_id')
    .where('provider_refund_id', 'in', refunds)
    .execute();
  return new Set(rows.flatMap(({ provider_refund_id }) => provider_refund_id ?? []));
}

type Compared = 'top_up_orders' | 'refunds' | 'disputes';

/** Marks rows as found at the provider with the same amount. */
export async function markCompared(db: Db, table: Compared, ids: Ids): Promise<void> {
  if (ids.length === 0) return;
  await sql`UPDATE ${sql.table(table)} SET compared_at = now()
    WHERE compared_at IS NULL AND id::text = ANY(${ids as string[]})`.execute(db);
}

/** Returns paid orders, accepted refunds or disputes that no run has found at the provider yet, by id. */
export async function uncompared<Row>(
  db: Db,
  table: Compared,
  page: { after: string | undefined; before: Date; limit: number },
): Promise<Row[]> {
  const condition = {
    top_up_orders: sql`status = 'paid'`,
    refunds: sql`provider_refund_id IS NOT NULL`,
    disputes: sql`true`,
  }[table];
  const after = page.after === undefined ? sql`true` : sql`id > ${page.after}`;
  const { rows } = await sql<Row>`
    SELECT * FROM ${sql.table(table)}
    WHERE compared_at IS NULL AND ${condition} AND ${after} AND updated_at <= ${page.before}
    ORDER BY id LIMIT ${page.limit}`.execute(db);
  return rows;
}

/**
 * Returns the part of the clearing account that no known top-up, refund, dispute or exception explains, in
 * paise; 0 in sound books. One statement, so one snapshot.
 */
export async function clearingBeyondBooks(db: Db): Promise<number> {
  const { rows } = await sql<{ beyond: number }>`
    SELECT (
      (SELECT coalesce(sum(e.amount_paise), 0) FROM entries e JOIN accounts a ON a.id = e.account_id
        WHERE a.kind = 'clearing')
      + (SELECT coalesce(sum(amount_paise + fee_paise), 0) FROM top_up_orders WHERE status = 'paid')
      - (SELECT coalesce(sum(amount_paise), 0) FROM refunds WHERE status <> 'failed')
      - (SELECT coalesce(sum(amount_paise), 0) FROM disputes WHERE status = 'lost')
      + (SELECT coalesce(sum(booked_paise), 0) FROM payment_exceptions WHERE refund_state IS NULL)
    )::bigint AS beyond`.execute(db);
  return rows[0]?.beyond ?? 0;
}
