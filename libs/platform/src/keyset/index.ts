/**
 * Pages of a list by keyset: the next page begins after the last row's place, however large the list is. Sorts are
 * named; each stands on one column and the row's id, and needs an index of the two.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { badRequest, invalid } from '../errors/index.ts';

export type KeysetSort = {
  column: string;
  /** The column's type: keys travel as text, so that a timestamp keeps its microseconds. */
  cast: 'timestamptz' | 'text' | 'bigint';
  direction: 'asc' | 'desc';
};

/** Selected with every row as `page_key`; with `id` it is the row's place. */
export type Placed = { id: string; page_key: string };

const KEY: Record<KeysetSort['cast'], RegExp> = {
  timestamptz: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)?$/,
  bigint: /^-?\d{1,18}$/,
  text: /^[^\0]*$/,
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type Keyset = {
  /** The column to select beside the row's own. */
  key: RawBuilder<string>;
  orderBy: RawBuilder<unknown>;
  /** What holds of the rows after the cursor; `true` on the first page. */
  after: RawBuilder<boolean>;
};

/**
 * @param sorts each with its name
 * @param sort which one; it is part of the cursor
 * @param cursor from {@link cut}; empty for the first page
 * @throws AppError 400 for a cursor that is none of ours, or of a list sorted otherwise
 */
export function keyset<S extends string>(
  sorts: Readonly<Record<S, KeysetSort>>,
  sort: S,
  cursor: string | undefined,
): Keyset {
  const { column, cast, direction } = sorts[sort];
  const by = sql.ref(column);
  const way = sql.raw(direction);
  const place = cursor ? parse(cursor, sort, cast) : undefined;
  const beyond = sql.raw(direction === 'desc' ? '<' : '>');
  return {
    key: sql<string>`${by}::text`,
    orderBy: sql`${by} ${way}, id ${way}`,
    after: place
      ? sql<boolean>`(${by}, id) ${beyond} (${place.page_key}::${sql.raw(cast)}, ${place.id}::uuid)`
      : sql<boolean>`true`,
  };
}

/** What holds of rows of all these conditions. */
export const all = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` AND `)}`;

/** A page of rows of which one more than `limit` was asked for, and the cursor of the next one. */
export function cut<R extends Placed>(
  rows: readonly R[],
  limit: number,
  sort: string,
): { items: R[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = last && rows.length > limit;
  return { items, nextCursor: more ? cursorOf(sort, last) : null };
}

const cursorOf = (sort: string, { page_key, id }: Placed): string =>
  Buffer.from(JSON.stringify([sort, page_key, id])).toString('base64url');

function parse(cursor: string, sort: string, cast: KeysetSort['cast']): Placed {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(parsed) && parsed.length === 3 && parsed[0] === sort) {
      const [, key, id] = parsed as unknown[];
      if (typeof key === 'string' && KEY[cast].test(key) && typeof id === 'string' && UUID.test(id))
        return { page_key: key, id };
    }
  } catch {
    // Not ours: refused below like any other.
  }
  throw badRequest('bad_cursor', 'This page of the list does not exist. Start again from the first one.');
}

/** Reads a list to its end, page after page: what an export goes through, with one page in memory at a time. */
export async function* eachRow<R>(
  page: (cursor: string | undefined) => Promise<{ items: R[]; nextCursor: string | null }>,
): AsyncGenerator<R> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, nextCursor } = await page(cursor);
    yield* items;
    cursor = nextCursor;
  }
}

/** Conditions of a range of India's days on a column of times; either end may be missing or empty. */
export function inDays(
  column: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): RawBuilder<boolean>[] {
  const at = sql.ref(column);
  return [
    ...(from
      ? [sql<boolean>`${at} >= (${checkedDay('from', from)}::date)::timestamp AT TIME ZONE 'Asia/Kolkata'`]
      : []),
    ...(to
      ? [sql<boolean>`${at} < (${checkedDay('to', to)}::date + 1)::timestamp AT TIME ZONE 'Asia/Kolkata'`]
      : []),
  ];
}

function checkedDay(loc: string, day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day)
    throw invalid([{ loc, msg: 'is not a day of the calendar' }]);
  return day;
}

/** Hits that are put in order by themselves; more of them are met soon enough on the way through the list. */
const FEW = 2_000;

/**
 * The rows in which a text occurs, as a condition on `id`. Left to itself the planner walks the list in order and hopes
 * for hits on the way, which for a rare text never come; so they are gathered first, when there are few.
 * @param matches by an index of trigrams
 */
export async function textHits<DB>(
  db: Kysely<DB>,
  table: string,
  matches: RawBuilder<boolean>,
): Promise<RawBuilder<boolean>> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(table)} WHERE ${matches} LIMIT ${FEW + 1}`.execute(db);
  return rows.length > FEW ? matches : sql<boolean>`id = ANY(${rows.map(({ id }) => id)}::uuid[])`;
}

/** A text as the inside of a LIKE pattern. */
export const likePart = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
