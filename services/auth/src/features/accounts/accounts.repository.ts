/** The only file that reads and writes users. */
import type { Language } from '@karaar/contracts/limits';
import type { Tx } from '@karaar/platform/db-kit';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Database, UsersTable } from '../../db/schema.ts';

export type UserRow = Selectable<UsersTable>;
type Db = Kysely<Database> | Tx<Database>;

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
    'name' | 'email' | 'city' | 'state' | 'govt_id_type' | 'govt_id_number' | 'govt_id_image' | 'language'
  >
>;

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

export async function findById(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findByCharId(db: Db, charId: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('char_id', '=', charId.toUpperCase()).executeTakeFirst();
}

export async function findByPhone(db: Db, phone: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('phone_no', '=', phone).executeTakeFirst();
}

/** Which of the two is taken already; one query, so that the time tells nothing. */
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

/**
 * Active users by id after `cursor`. A search matches the beginning of a word of the name, or a whole
 * e-mail, phone number or character ID (design §3 Who sees what).
 */
export async function searchUsers(
  db: Db,
  page: { search?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll().where('status', '=', 'active');
  const search = page.search?.trim().toLowerCase();
  if (search) {
    const escaped = search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
    const phone = search.startsWith('+91') ? search : `+91${search}`;
    query = query.where((where) =>
      where.or([
        where(sql`lower(name)`, 'like', `${escaped}%`),
        where(sql`lower(name)`, 'like', `% ${escaped}%`),
        where(sql`lower(email)`, '=', search),
        where('phone_no', '=', phone),
        where('char_id', '=', search.toUpperCase()),
      ]),
    );
  }
  if (page.cursor) query = query.where('id', '>', page.cursor);
  return query.orderBy('id').limit(page.limit).execute();
}
