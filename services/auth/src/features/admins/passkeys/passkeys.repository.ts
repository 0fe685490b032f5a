import { uuidv7, type Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { AdminPasskeysTable, Database, Db } from '../../../db/schema.ts';

export type PasskeyRow = Selectable<AdminPasskeysTable>;

/** Returns the oldest first. */
export async function passkeysOf(db: Db, adminId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('admin_passkeys')
    .selectAll()
    .where('admin_id', '=', adminId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Locks this admin's passkeys against other changes until the transaction ends. */
export async function lockAdmin(tx: Tx<Database>, adminId: string): Promise<void> {
  await tx.selectFrom('admins').select('id').where('id', '=', adminId).forUpdate().execute();
}

export async function insertPasskey(
  tx: Tx<Database>,
  passkey: Omit<PasskeyRow, 'id' | 'counter' | 'created_at' | 'last_used_at'> & { counter: number },
): Promise<boolean> {
  const result = await tx
    .insertInto('admin_passkeys')
    .values({ id: uuidv7(), ...passkey })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/**
 * Records that a passkey was used. Returns false if the stored counter is not lower, which means that two
 * copies of one authenticator exist (WebAuthn level 3, §6.1.1). Authenticators that do not count send 0 each
 * time.
 */
export async function notePasskeyUse(
  db: Db,
  id: string,
  use: { counter: number; synced: boolean },
): Promise<boolean> {
  const result = await db
    .updateTable('admin_passkeys')
    .set({ ...use, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`counter < ${use.counter} OR (counter = 0 AND ${use.counter} = 0)`)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Returns the name of the removed passkey; undefined if the admin has no such passkey. */
export async function deletePasskey(
  tx: Tx<Database>,
  adminId: string,
  id: string,
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('admin_passkeys')
    .where('admin_id', '=', adminId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/**
 * Deletes all passkeys of an admin who has lost them.
 * @returns their number
 */
export async function forgetPasskeys(db: Db, username: string): Promise<number> {
  const result = await sql`
    DELETE FROM admin_passkeys WHERE admin_id = (SELECT id FROM admins WHERE username = ${username})`.execute(
    db,
  );
  return Number(result.numAffectedRows ?? 0n);
}
