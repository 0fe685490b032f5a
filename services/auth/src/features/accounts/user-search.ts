import { isUuid } from '@karaar/db';
import { readCode, readPhone } from '@karaar/contracts/typed/read';
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

type Users = ExpressionBuilder<Database, 'users'>;

const literally = (text: string): string => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/** Returns true if the search is a whole e-mail address or phone number. A match reveals whose it is. */
export const isContactSearch = (search: string): boolean =>
  search.includes('@') || readPhone(search) !== undefined;

/**
 * Matches the beginning of a word of the name, or a whole proved e-mail, phone or character ID (design §3 Who
 * sees what). An address that is not proved may belong to another person, so it does not match.
 */
export const foundByAnybody = (where: Users, search: string): Expression<SqlBool> =>
  where.or([
    where(sql`(' ' || lower(name))`, 'like', `% ${literally(search.toLowerCase())}%`),
    ...(search.includes('@')
      ? [
          where.and([
            where(sql`lower(email)`, '=', search.toLowerCase()),
            where('email_proved_at', 'is not', null),
          ]),
        ]
      : []),
    ...exactly(where, search),
  ]);

/**
 * Matches the user whose whole e-mail, phone, character ID or id the search is; undefined if it can only be
 * part of a name.
 */
export function namedExactly(where: Users, search: string): Expression<SqlBool> | undefined {
  const ways = [
    ...(search.includes('@') ? [where(sql`lower(email)`, '=', search.toLowerCase())] : []),
    ...(isUuid(search) ? [where('id', '=', search)] : []),
    ...exactly(where, search),
  ];
  return ways.length > 0 ? where.or(ways) : undefined;
}

function exactly(where: Users, search: string): Expression<SqlBool>[] {
  const [phone, charId] = [readPhone(search), readCode(search)];
  return [
    ...(phone ? [where('phone_no', '=', phone)] : []),
    ...(charId ? [where('char_id', '=', charId)] : []),
  ];
}

/** The index has entries of three letters, so shorter searches cannot use it. */
const INDEXED_FROM = 3;

/**
 * Returns one page of users by id, after `cursor` (a user's id).
 *
 * The matches are collected before they are sorted. Otherwise Postgres would scan all users in order, which
 * is slow for a rare name. Searches of one or two letters match often enough for such a scan.
 */
export function usersPage(
  db: Db,
  page: {
    search?: string | undefined;
    status?: 'active' | 'inactive' | undefined;
    order: 'asc' | 'desc';
    cursor?: string | undefined;
    limit: number;
  },
) {
  const { search, status, order, cursor, limit } = page;
  let ids = db.selectFrom('users').select('id');
  if (status) ids = ids.where('status', '=', status);
  if (search) ids = ids.where((where) => foundByAnybody(where, search));
  if (cursor !== undefined) ids = ids.where('id', order === 'asc' ? '>' : '<', cursor);
  const users = db.selectFrom('users').selectAll().orderBy('id', order);
  if (!search || search.length < INDEXED_FROM)
    return users.where('id', 'in', ids.orderBy('id', order).limit(limit));
  return users.where('id', 'in', (where) =>
    where
      .selectFrom(sql<{ id: string }>`(WITH hits AS MATERIALIZED (${ids}) SELECT id FROM hits)`.as('hits'))
      .select('hits.id')
      .orderBy('hits.id', order)
      .limit(limit),
  );
}
