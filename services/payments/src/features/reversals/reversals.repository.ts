/** The only file that reads and writes reversals. */
import type { ReversalState } from '@karaar/contracts/payments/http';
import { lockName, uuidv7, type Tx } from '@karaar/db';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database, Db, ReversalsTable } from '../../db/schema.ts';

export type ReversalRow = Selectable<ReversalsTable>;
export type ReversalLine = ReversalRow & {
  document_id: string;
  document_name: string;
  user_name: string | null;
  char_id: string | null;
};
export type Admin = { id: string; name: string };

const lines = (db: Db) =>
  db
    .selectFrom('reversals')
    .innerJoin('payments', 'payments.id', 'reversals.payment_id')
    .leftJoin('directory', 'directory.user_id', 'reversals.user_id')
    .selectAll('reversals')
    .select([
      'payments.document_id',
      'payments.document_name',
      'directory.name as user_name',
      'directory.char_id',
    ]);

export const findReversal = (db: Db, id: string): Promise<ReversalLine | undefined> =>
  lines(db).where('reversals.id', '=', id).executeTakeFirst();

/** Returns the reversal that is not declined; there is at most one. */
export const findLive = (db: Db, paymentId: string): Promise<ReversalRow | undefined> =>
  db
    .selectFrom('reversals')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('state', '<>', 'declined')
    .executeTakeFirst();

/** Returns a page of reversals, newest first. */
export async function listReversals(
  db: Db,
  page: { state?: ReversalState | undefined; before?: string | undefined; limit: number },
): Promise<ReversalLine[]> {
  let query = lines(db);
  if (page.state) query = query.where('reversals.state', '=', page.state);
  if (page.before) query = query.where('reversals.id', '<', page.before);
  return query.orderBy('reversals.id', 'desc').limit(page.limit).execute();
}

/** Makes the reversals of one admin wait for each other, so that their sum is correct. */
export async function lockAlone(tx: Tx<Database>, adminId: string): Promise<void> {
  await lockName(tx, `reversals of ${adminId}`);
}

/** Returns the paise that an admin has given back alone within 24 hours. */
export async function sumAlone(tx: Tx<Database>, adminId: string): Promise<number> {
  const row = await tx
    .selectFrom('reversals')
    .select(sql<number>`coalesce(sum(amount_paise), 0)::bigint`.as('paise'))
    .where('requested_by', '=', adminId)
    .where('two_people', '=', false)
    .where('requested_at', '>', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirstOrThrow();
  return row.paise;
}

/** Returns undefined if the payment has a live reversal already. */
export async function insertReversal(
  tx: Tx<Database>,
  reversal: Omit<Insertable<ReversalsTable>, 'id' | 'decided_at' | 'state'>,
): Promise<string | undefined> {
  const id = uuidv7();
  const inserted = await tx
    .insertInto('reversals')
    .values({
      ...reversal,
      id,
      state: reversal.two_people ? 'requested' : 'decided',
      decided_at: reversal.two_people ? null : new Date(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

/** Moves a reversal from `requested` to `decided`. Returns false if it is no longer requested. */
export async function markConfirmed(tx: Tx<Database>, id: string, admin: Admin): Promise<boolean> {
  const row = await tx
    .updateTable('reversals')
    .set({ state: 'decided', confirmed_by: admin.id, confirmed_by_name: admin.name, decided_at: new Date() })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Moves a reversal from `requested` to `declined`. Returns false if it is no longer requested. */
export async function markDeclined(
  tx: Tx<Database>,
  id: string,
  { admin, reason }: { admin: Admin; reason: string },
): Promise<boolean> {
  const row = await tx
    .updateTable('reversals')
    .set({
      state: 'declined',
      declined_by: admin.id,
      declined_by_name: admin.name,
      decline_reason: reason,
      decided_at: new Date(),
    })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Moves a reversal from `decided` to `done`. Returns false if another process already did. */
export async function markDone(tx: Tx<Database>, id: string, transferId: string): Promise<boolean> {
  const row = await tx
    .updateTable('reversals')
    .set({ state: 'done', transfer_id: transferId, done_at: new Date() })
    .where('id', '=', id)
    .where('state', '=', 'decided')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks a completed payment as reversed, and returns its new version. Needs the charge's lock. */
export async function markReversed(tx: Tx<Database>, paymentId: string): Promise<number> {
  const { version } = await tx
    .updateTable('payments')
    .set({ status: 'reversed', version: sql<number>`version + 1` })
    .where('id', '=', paymentId)
    .where('status', '=', 'completed')
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Returns how many completions and reversals of payments a document has had. Needs the charge's lock. */
export async function chargeNumber(tx: Tx<Database>, documentId: string): Promise<number> {
  const { rows } = await sql<{ number: number }>`SELECT number FROM charge_progress(${documentId})`.execute(
    tx,
  );
  if (!rows[0]) throw new Error('charge_progress returned no row');
  return rows[0].number;
}

/** Returns decided reversals whose process may have died before the money was back, oldest first. */
export async function interruptedReversals(db: Db, afterMs: number): Promise<ReversalLine[]> {
  return lines(db)
    .where('reversals.state', '=', 'decided')
    .where('reversals.decided_at', '<', new Date(Date.now() - afterMs))
    .orderBy('reversals.id')
    .limit(50)
    .execute();
}
