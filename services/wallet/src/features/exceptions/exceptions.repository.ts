import { uuidv7, type Tx } from '@karaar/db';
import type { ExceptionKind, ExceptionState } from '@karaar/contracts/wallet/exceptions';
import { sql, type Selectable, type Updateable } from 'kysely';
import type { Database, Db, PaymentExceptionsTable } from '../../db/schema.ts';

export type ExceptionRow = Selectable<PaymentExceptionsTable>;

export type NewException = Pick<
  ExceptionRow,
  'kind' | 'subject' | 'cause' | 'payment_id' | 'order_id' | 'user_id' | 'amount_paise'
>;

/** Locks and returns all exceptions of a subject, newest first. */
export const lockOf = (tx: Tx<Database>, kind: ExceptionKind, subject: string): Promise<ExceptionRow[]> =>
  tx
    .selectFrom('payment_exceptions')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .orderBy('id', 'desc')
    .forUpdate()
    .execute();

export const lockException = (tx: Tx<Database>, id: string): Promise<ExceptionRow | undefined> =>
  tx.selectFrom('payment_exceptions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/**
 * Returns undefined if the subject has an unresolved exception already, for example from a simultaneous
 * webhook.
 */
export const insertException = (tx: Tx<Database>, row: NewException): Promise<ExceptionRow | undefined> =>
  tx
    .insertInto('payment_exceptions')
    .values({
      id: uuidv7(),
      booked_paise: 0,
      resolution: null,
      reason: null,
      credit_user_id: null,
      proposed_by: null,
      proposed_at: null,
      confirmed_by: null,
      resolved_at: null,
      refund_state: null,
      provider_refund_id: null,
      ...row,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** Changes a row that the caller has locked, and raises its version. */
export const changeException = (
  tx: Tx<Database>,
  row: ExceptionRow,
  change: Updateable<PaymentExceptionsTable>,
): Promise<ExceptionRow> =>
  tx
    .updateTable('payment_exceptions')
    .set({ ...change, version: row.version + 1 })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const NO_PROPOSAL = {
  state: 'open',
  resolution: null,
  reason: null,
  credit_user_id: null,
  proposed_by: null,
  proposed_at: null,
  confirmed_by: null,
  resolved_at: null,
} as const;

export async function userOfOrder(tx: Tx<Database>, orderId: string | null): Promise<string | null> {
  if (orderId === null) return null;
  const row = await tx
    .selectFrom('top_up_orders')
    .select('user_id')
    .where('id', '=', orderId)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Returns a page, newest first (ids sort by time). `before` is the last id of the previous page. */
export function listExceptionRows(
  db: Db,
  filter: { state?: ExceptionState | undefined; before?: string | undefined; limit: number },
): Promise<ExceptionRow[]> {
  let query = db.selectFrom('payment_exceptions').selectAll();
  if (filter.state) query = query.where('state', '=', filter.state);
  if (filter.before) query = query.where('id', '<', filter.before);
  return query.orderBy('id', 'desc').limit(filter.limit).execute();
}

/** Returns how many exceptions wait for an admin, and the age of the oldest. */
export async function waiting(db: Db): Promise<{ open: number; proposed: number; oldestS: number }> {
  const { rows } = await sql<{ open: number; proposed: number; oldestS: number }>`
    SELECT count(*) FILTER (WHERE state = 'open')::int AS open,
      count(*) FILTER (WHERE state = 'proposed')::int AS proposed,
      coalesce(extract(epoch FROM now() - min(since)), 0)::float8 AS "oldestS"
    FROM payment_exceptions WHERE state <> 'resolved'`.execute(db);
  return rows[0] ?? { open: 0, proposed: 0, oldestS: 0 };
}
