import { AGE_AND_NAME, occursIn, searchedPage, type Found, type Placed } from '@karaar/db/keyset';
import { readCounters } from '@karaar/db/counters';
import { expressionBuilder, sql } from 'kysely';
import type { Database, Db } from '../../../db/schema.ts';
import type { UserRow } from '../../accounts/accounts.repository.ts';
import { namedExactly } from '../../accounts/user-search.ts';

export type UserFilters = {
  search?: string | undefined;
  status?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: 'newest' | 'oldest' | 'name' | '-name' | undefined;
};
export type UserPage = UserFilters & { cursor?: string | undefined; limit?: number | undefined };

const DEFAULT_PAGE = 50;

const LIST = sql`(SELECT *, lower(name) AS name_key FROM users) AS list`;
const users = expressionBuilder<Database, 'users'>();

/**
 * Returns the condition of a search: the user whom it identifies, otherwise users with the text in name or
 * e-mail.
 */
async function found(db: Db, search: string): Promise<Found> {
  const named = namedExactly(users, search);
  const one = named && (await db.selectFrom('users').select('id').where(named).executeTakeFirst());
  if (one) return { condition: sql`id = ${one.id}::uuid` };
  return { text: occursIn([sql`(' ' || lower(name))`, sql`lower(email)`], search) };
}

/**
 * Returns one page and the cursor of the next.
 * @throws 400 for a cursor of another list; 422 for an invalid day
 */
export const listForAdmin = (
  db: Db,
  page: UserPage,
): Promise<{ items: (UserRow & Placed)[]; nextCursor: string | null }> =>
  searchedPage(
    db,
    { list: LIST, sorts: AGE_AND_NAME, columns: sql`*`, find: (words) => found(db, words) },
    { ...page, sort: page.sort ?? 'newest', limit: page.limit ?? DEFAULT_PAGE },
  );

export type UserCounts = {
  active: number;
  inactive: number;
  byDay: { day: string; count: number }[];
};

/** Counts all accounts by status, and the registrations of the last `days` days by date in India. */
export async function countUsers(db: Db, days: number): Promise<UserCounts> {
  const { kinds, byDay } = await readCounters(db, 'users', days);
  const of = (status: string) => kinds.find(({ kind }) => kind === status)?.count ?? 0;
  const onDay = new Map<string, number>();
  for (const { day, count } of byDay) onDay.set(day, (onDay.get(day) ?? 0) + count);
  return {
    active: of('active'),
    inactive: of('inactive'),
    byDay: [...onDay].map(([day, count]) => ({ day, count })),
  };
}
