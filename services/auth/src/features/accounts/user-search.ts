/** Finding users by a search text: SQL conditions that each have an index, and pages by id. */
import { isUuid } from '@karaar/platform/db-kit';
import { readCode, readPhone } from '@karaar/contracts/typed/read';
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

type Users = ExpressionBuilder<Database, 'users'>;

/** The search text, escaped for a LIKE pattern. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/** Whether a search is a whole e-mail address or phone number: a hit reveals whose it is. */
export const isContactSearch = (search: string): boolean =>
  search.includes('@') || readPhone(search) !== undefined;

/**
 * The beginning of a word of the name, or a whole proved e-mail, phone or character ID (design §3 Who sees what). An address
 * that was only typed may be another person's, who would be looked for by it.
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

/** The whole e-mail, phone, character ID or id that a search is; undefined for what can only be part of a name. */
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

/** The least length for a search by the index, whose entries have three letters. */
const INDEXED_FROM = 3;

/**
 * One page of users by id, those after `cursor` (a user's id).
 *
 * The hits of a search are collected before they are sorted. Otherwise Postgres would walk all users in order and
 * look for hits on the way, which is slow for a rare name. One or two letters hit often enough for that.
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
