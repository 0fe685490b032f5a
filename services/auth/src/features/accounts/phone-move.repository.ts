import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';
import { findById, lockByPhone, type UserRow } from './accounts.repository.ts';

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

export async function cancelMove(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ moving_to: null, moves_at: null })
    .where('id', '=', userId)
    .where('moves_at', 'is not', null)
    .execute();
}

/** Returns up to a hundred users whose waiting time is over. */
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
 * Returns the user whose number has just been proved and locks the row until the transaction ends. The number
 * is not lost, so a waiting number change is cancelled.
 */
export async function lockByProvedPhone(tx: Tx<Database>, phone: string): Promise<UserRow | undefined> {
  const user = await lockByPhone(tx, phone);
  if (!user?.moves_at) return user;
  await cancelMove(tx, user.id);
  return findById(tx, user.id);
}
