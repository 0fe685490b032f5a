import type { Selectable } from 'kysely';
import type { Db, PaymentsTable } from '../../db/schema.ts';

/** Returns a page of a user's payments by id; a reversed one has the reason. */
export async function paymentsPage(
  db: Db,
  userId: string,
  after: string | null,
  limit: number,
): Promise<(Selectable<PaymentsTable> & { reversal_reason: string | null })[]> {
  let query = db
    .selectFrom('payments')
    .leftJoin('reversals', (join) =>
      join.onRef('reversals.payment_id', '=', 'payments.id').on('reversals.state', '=', 'done'),
    )
    .selectAll('payments')
    .select('reversals.reason as reversal_reason')
    .where('payments.user_id', '=', userId);
  if (after !== null) query = query.where('payments.id', '>', after);
  return query.orderBy('payments.id').limit(limit).execute();
}

/** Returns true if money is, or may soon be, on its way back to the user's wallet. */
export async function hasOpenReversal(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('reversals')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', 'in', ['requested', 'decided'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns true if a debit was requested whose outcome is not recorded yet. */
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
