import type { Selectable } from 'kysely';
import type { Db, PaymentsTable } from '../../db/schema.ts';

/** A user's payments by id, after one. */
export async function paymentsPage(
  db: Db,
  userId: string,
  after: string | null,
  limit: number,
): Promise<Selectable<PaymentsTable>[]> {
  let query = db.selectFrom('payments').selectAll().where('user_id', '=', userId);
  if (after !== null) query = query.where('id', '>', after);
  return query.orderBy('id').limit(limit).execute();
}

/** Whether a debit was asked for whose outcome is not recorded yet. */
export async function hasStartedPayment(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'pending')
    .where('started_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
