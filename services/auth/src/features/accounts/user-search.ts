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
 * Matches the user whose whole proved e-mail, phone or character ID the search is. An address that is not
 * proved may belong to another person, so it does not match.
 */
function foundByAnybody(where: Users, search: string): Expression<SqlBool> {
  const email = where.and([
    where(sql`lower(email)`, '=', search.toLowerCase()),
    where('email_proved_at', 'is not', null),
  ]);
  return where.or([...(search.includes('@') ? [email] : []), ...exactly(where, search)]);
}

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

/** The viewer, and the users who share a document with the viewer. */
const circleOf = (viewerId: string) => sql<string>`(
  SELECT ${viewerId}::uuid
  UNION SELECT unnest(people) FROM shared_documents WHERE people @> ARRAY[${viewerId}::uuid])`;

/**
 * Returns one page of active users by id, after `cursor` (a user's id): those of the viewer's circle by words
 * of their names, and any other user only by a whole contact or character ID (design §3 Who sees what).
 */
export function usersPage(
  db: Db,
  viewerId: string,
  page: { search?: string | undefined; cursor?: string | undefined; limit: number },
) {
  const { search, cursor, limit } = page;
  let ids = db.selectFrom('users').select('id').where('id', 'in', circleOf(viewerId));
  if (search)
    ids = ids.where(sql`(' ' || lower(name))`, 'like', `% ${literally(search.toLowerCase())}%`).union(
      db
        .selectFrom('users')
        .select('id')
        .where((where) => foundByAnybody(where, search)),
    );
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', ids)
    .where('status', '=', 'active')
    .$if(cursor !== undefined, (users) => users.where('id', '>', cursor ?? ''))
    .orderBy('id')
    .limit(limit);
}
