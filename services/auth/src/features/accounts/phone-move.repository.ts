/** Numbers that accounts get after the waiting time, because the present ones are lost. */
import type { Tx } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';
import { findById, lockByPhone, type UserRow } from './accounts.repository.ts';

/** @param at when the account gets the number */
export const setMove = (
  tx: Tx<Database>,
  userId: string,
  to: string,
  at: Date,
): Promise<UserRow | undefined> =>
  tx
    .updateTable('users')
    .set({ moving_to: to, moves_at: at })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst();

/** The account keeps its present number. */
export async function cancelMove(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ moving_to: null, moves_at: null })
    .where('id', '=', userId)
    .where('moves_at', 'is not', null)
    .execute();
}

/** Users whose waiting time is over, a hundred at most. */
export async function listDueMoves(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('moves_at', '<=', sql<Date>`now()`)
    .orderBy('moves_at')
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * The user whose number was proved a moment ago, held until the transaction ends. The number is not lost, so a waiting change
 * of it ends.
 */
export async function lockByProvedPhone(tx: Tx<Database>, phone: string): Promise<UserRow | undefined> {
  const user = await lockByPhone(tx, phone);
  if (!user?.moves_at) return user;
  await cancelMove(tx, user.id);
  return findById(tx, user.id);
}
