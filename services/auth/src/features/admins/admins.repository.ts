import type { Tx } from '@karaar/platform/db-kit';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { AdminsTable, Database } from '../../db/schema.ts';

export type AdminRow = Selectable<AdminsTable>;
type Db = Kysely<Database> | Tx<Database>;

export async function findAdmin(db: Db, username: string): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('username', '=', username).executeTakeFirst();
}

/** True when this username was free. */
export async function insertAdmin(
  db: Db,
  admin: Pick<AdminRow, 'id' | 'username' | 'password_hash' | 'role'>,
): Promise<boolean> {
  const result = await db
    .insertInto('admins')
    .values(admin)
    .onConflict((conflict) => conflict.column('username').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function recordFailure(db: Db, id: string, lockedForMs: number): Promise<void> {
  await db
    .updateTable('admins')
    .set({
      failures: sql<number>`failures + 1`,
      locked_until: lockedForMs > 0 ? new Date(Date.now() + lockedForMs) : null,
    })
    .where('id', '=', id)
    .execute();
}

export async function recordSuccess(db: Db, id: string): Promise<void> {
  await db.updateTable('admins').set({ failures: 0, locked_until: null }).where('id', '=', id).execute();
}
