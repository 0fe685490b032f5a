/** How admins look through the users. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { UserRow } from '../accounts/accounts.repository.ts';

export type AdminPage = {
  search?: string | undefined;
  status?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};

/** Newest first, after `cursor`. A search is part of a name or an e-mail, or a whole phone, ID or char_id. */
export async function listForAdmin(db: Kysely<Database>, page: AdminPage): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll();
  if (page.status === 'active' || page.status === 'inactive') query = query.where('status', '=', page.status);
  const search = page.search?.trim().toLowerCase();
  if (search) {
    const part = `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    const digits = search.replaceAll(/[\s-]/g, '');
    query = query.where((where) =>
      where.or([
        where(sql`lower(name)`, 'like', part),
        where(sql`lower(email)`, 'like', part),
        where('phone_no', '=', digits.startsWith('+91') ? digits : `+91${digits}`),
        where('char_id', '=', search.toUpperCase()),
        where(sql`id::text`, '=', search),
      ]),
    );
  }
  if (page.cursor) query = query.where('id', '<', page.cursor);
  return query
    .orderBy('id', 'desc')
    .limit(page.limit ?? 50)
    .execute();
}
