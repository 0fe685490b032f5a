import type { Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { AdminsTable, Database, Db } from '../../db/schema.ts';

export type AdminRow = Selectable<AdminsTable>;

export async function findAdmin(db: Db, username: string): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('username', '=', username).executeTakeFirst();
}

export async function findAdminById(db: Db, id: string): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function hasAdmins(db: Db): Promise<boolean> {
  return (await db.selectFrom('admins').select('id').limit(1).executeTakeFirst()) !== undefined;
}

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

export async function setPending(db: Db, id: string, pending: Buffer): Promise<void> {
  await db.updateTable('admins').set({ totp_pending: pending }).where('id', '=', id).execute();
}

export async function activateTotp(
  tx: Tx<Database>,
  id: string,
  secret: Buffer,
  step: number,
  recoveryDigests: readonly string[],
): Promise<void> {
  await tx
    .updateTable('admins')
    .set({ totp_secret: secret, totp_pending: null, totp_last_step: step })
    .where('id', '=', id)
    .execute();
  await replaceRecoveryCodes(tx, id, recoveryDigests);
}

export async function replaceRecoveryCodes(
  tx: Tx<Database>,
  id: string,
  digests: readonly string[],
): Promise<void> {
  await tx.deleteFrom('admin_recovery_codes').where('admin_id', '=', id).execute();
  await tx
    .insertInto('admin_recovery_codes')
    .values(digests.map((digest) => ({ admin_id: id, digest })))
    .execute();
}

/** Returns true once per time step, so that another person who has seen the code cannot use it again. */
export async function useTotpStep(db: Db, id: string, step: number): Promise<boolean> {
  const result = await db
    .updateTable('admins')
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where('totp_last_step', '<', step)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Returns true once for each recovery code. */
export async function useRecoveryCode(db: Db, id: string, digest: string): Promise<boolean> {
  const result = await db
    .deleteFrom('admin_recovery_codes')
    .where('admin_id', '=', id)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function countRecoveryCodes(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM admin_recovery_codes WHERE admin_id = ${id}`.execute(db);
  return rows[0]?.n ?? 0;
}
