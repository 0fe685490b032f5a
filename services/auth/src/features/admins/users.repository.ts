/** How admins look through the users. */
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { UserRow } from '../accounts/accounts.repository.ts';
import { foundByAdmins, usersPage } from '../accounts/user-search.ts';

export type AdminPage = {
  search?: string | undefined;
  status?: 'active' | 'inactive' | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};

/** Newest first, after `cursor`; a search matches as `foundByAdmins` says. */
export async function listForAdmin(db: Kysely<Database>, page: AdminPage): Promise<UserRow[]> {
  const text = page.search?.trim();
  const search = text ? { text, found: foundByAdmins } : undefined;
  return usersPage(db, { ...page, search, order: 'desc', limit: page.limit ?? 50 }).execute();
}
