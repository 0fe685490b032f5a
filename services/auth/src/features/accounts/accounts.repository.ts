/** The only file that reads and writes users. */
import type { Language } from '@karaar/contracts/limits';
import type { Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, UsersTable } from '../../db/schema.ts';

export type UserRow = Selectable<UsersTable>;

export type NewUser = Pick<UserRow, 'id' | 'char_id' | 'name' | 'email' | 'phone_no' | 'city' | 'state'> & {
  govt_id_type: string;
  govt_id_number: Buffer;
  govt_id_image: string;
  language?: Language;
};

export async function insertUser(tx: Tx<Database>, user: NewUser): Promise<UserRow> {
  return tx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow();
}

export type UserChanges = Partial<
  Pick<
    NewUser,
    | 'name'
    | 'email'
    | 'phone_no'
    | 'city'
    | 'state'
    | 'govt_id_type'
    | 'govt_id_number'
    | 'govt_id_image'
    | 'language'
  > &
    Pick<UserRow, 'moving_to' | 'moves_at'>
> & { email_proved_at?: null };

/** Returns the stored ID image of a user and locks the row until the transaction ends. */
export async function lockIdImage(tx: Tx<Database>, id: string): Promise<string | null> {
  const row = await tx
    .selectFrom('users')
    .select('govt_id_image')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.govt_id_image ?? null;
}

export async function updateUser(
  tx: Tx<Database>,
  id: string,
  changes: UserChanges,
): Promise<UserRow | undefined> {
  return tx
    .updateTable('users')
    .set({ ...changes, version: sql<number>`version + 1`, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Marks the address as proved. Returns undefined if the account has another address by now. */
export async function markEmailProved(
  tx: Tx<Database>,
  id: string,
  email: string,
): Promise<UserRow | undefined> {
  const now = new Date();
  return tx
    .updateTable('users')
    .set({ email_proved_at: now, version: sql<number>`version + 1`, updated_at: now })
    .where('id', '=', id)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .returningAll()
    .executeTakeFirst();
}

export async function findById(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the users in the order of the ids, undefined for an unknown id. */
export async function findByIds(db: Db, ids: readonly string[]): Promise<(UserRow | undefined)[]> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .execute();
  const found = new Map(rows.map((user) => [user.id, user]));
  return ids.map((id) => found.get(id.toLowerCase()));
}

export async function findByCharId(db: Db, charId: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('char_id', '=', charId).executeTakeFirst();
}

export async function findByPhone(db: Db, phone: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('phone_no', '=', phone).executeTakeFirst();
}

/**
 * Returns whether a number has an account, and the account's language. The query is the same either way, so
 * that its duration reveals nothing.
 */
export async function phoneOwner(
  db: Db,
  phone: string,
): Promise<{ known: boolean; language: Language | null }> {
  const { rows } = await sql<{ known: boolean; language: Language | null }>`
    SELECT count(*) > 0 AS known, max(language) AS language FROM users WHERE phone_no = ${phone}`.execute(db);
  return rows[0] ?? { known: false, language: null };
}

export async function namedIdImages(db: Db, paths: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    SELECT govt_id_image AS path FROM users WHERE govt_id_image = ANY (${paths})`.execute(db);
  return rows.map(({ path }) => path);
}

/**
 * Returns the user with this number and locks the row, so that no deactivation happens before the transaction
 * ends.
 */
export async function lockByPhone(tx: Tx<Database>, phone: string): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('phone_no', '=', phone).forUpdate().executeTakeFirst();
}

export async function lockById(tx: Tx<Database>, id: string): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function setStatus(
  tx: Tx<Database>,
  id: string,
  status: UserRow['status'],
): Promise<{ user: UserRow; changed: boolean } | undefined> {
  const before = await lockById(tx, id);
  if (!before) return undefined;
  if (before.status === status) return { user: before, changed: false };
  const user = await tx
    .updateTable('users')
    .set({ status, version: sql<number>`version + 1`, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { user, changed: true };
}

/** Returns up to a thousand users by id after `cursor`, for commands that rebuild copies. */
export async function pageOfUsers(db: Db, cursor: string | undefined): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll();
  if (cursor !== undefined) query = query.where('id', '>', cursor);
  return query.orderBy('id').limit(1_000).execute();
}

/** Returns which of the two are taken. One query covers both, so that its duration does not reveal which. */
export async function findTaken(
  db: Db,
  phone: string,
  email: string,
): Promise<{ phone: boolean; email: boolean }> {
  const rows = await db
    .selectFrom('users')
    .select(['phone_no', 'email'])
    .where((where) =>
      where.or([where('phone_no', '=', phone), where(sql`lower(email)`, '=', email.toLowerCase())]),
    )
    .execute();
  return {
    phone: rows.some((row) => row.phone_no === phone),
    email: rows.some((row) => row.email.toLowerCase() === email.toLowerCase()),
  };
}

export async function isOwnImage(db: Db, userId: string, path: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('govt_id_image', '=', path)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return row !== undefined;
}
