/** How admins look through the users. */
import { all, cut, inDays, keyset, textHits, type KeysetSort, type Placed } from '@karaar/platform/keyset';
import { expressionBuilder, sql, type Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { UserRow } from '../accounts/accounts.repository.ts';
import { foundByAdmins } from '../accounts/user-search.ts';

export type UserFilters = {
  search?: string | undefined;
  status?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: 'newest' | 'oldest' | 'name' | '-name' | undefined;
};
export type UserPage = UserFilters & { cursor?: string | undefined; limit?: number | undefined };

const SORTS = {
  newest: { column: 'created_at', cast: 'timestamptz', direction: 'desc' },
  oldest: { column: 'created_at', cast: 'timestamptz', direction: 'asc' },
  name: { column: 'name_key', cast: 'text', direction: 'asc' },
  '-name': { column: 'name_key', cast: 'text', direction: 'desc' },
} as const satisfies Record<string, KeysetSort>;

const matching = (text: string) =>
  sql<boolean>`${foundByAdmins(expressionBuilder<Database, 'users'>(), text)}`;

/** One page and the cursor of the next. Throws 400 for a cursor of another list, 422 for a day that there is not. */
export async function listForAdmin(
  db: Kysely<Database>,
  { search, status, from, to, sort = 'newest', cursor, limit = 50 }: UserPage,
): Promise<{ items: (UserRow & Placed)[]; nextCursor: string | null }> {
  const { key, orderBy, after } = keyset(SORTS, sort, cursor);
  const words = search?.trim();
  const conditions = [
    after,
    ...(status ? [sql<boolean>`status = ${status}`] : []),
    ...(words ? [await textHits(db, 'users', matching(words))] : []),
    ...inDays('created_at', { from, to }),
  ];
  const { rows } = await sql<UserRow & Placed>`
    SELECT *, ${key} AS page_key FROM (SELECT *, lower(name) AS name_key FROM users) u
    WHERE ${all(conditions)} ORDER BY ${orderBy} LIMIT ${limit + 1}`.execute(db);
  return cut(rows, limit, sort);
}

export type UserCounts = {
  active: number;
  inactive: number;
  byDay: { day: string; count: number }[];
};

/** All accounts by state, and those of the last days by India's day of registration. */
export async function countUsers(db: Kysely<Database>, days: number): Promise<UserCounts> {
  const { rows: states } = await sql<{ status: string; count: number }>`
    SELECT status, count(*)::int AS count FROM users GROUP BY status`.execute(db);
  const { rows: byDay } = await sql<{ day: string; count: number }>`
    SELECT to_char(created_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') AS day, count(*)::int AS count
    FROM users WHERE created_at >= now() - make_interval(days => ${days})
    GROUP BY 1 ORDER BY 1`.execute(db);
  const of = (status: string) => states.find((one) => one.status === status)?.count ?? 0;
  return { active: of('active'), inactive: of('inactive'), byDay };
}
