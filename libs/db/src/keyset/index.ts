/**
 * Keyset pagination: the next page begins after the last row's position, so that its cost does not depend on
 * the size of the list. Sorts are named; each uses one column and the row's id, and needs an index on the
 * two.
 */
import { isCalendarDay } from '@karaar/contracts/calendar-day';
import { isUuid } from '../db-kit/index.ts';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { badRequest, invalid } from '@karaar/base/errors';

export type KeysetSort = {
  column: string;
  /** The column's type: keys are transported as text, so that a timestamp keeps its microseconds. */
  cast: 'timestamptz' | 'text' | 'bigint';
  direction: 'asc' | 'desc';
};

/** Selected with every row as `page_key`; with `id` it is the row's position. */
export type Placed = { id: string; page_key: string };

/** The form in which Postgres prints a timestamp. */
const TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?[+-](\d\d)(?::(\d\d))?$/;

/**
 * Returns true if Postgres accepts this text as a timestamp: the regular expression alone would accept 30
 * February.
 */
export function isTimestamp(text: string): boolean {
  const [year, month, day, hour, minute, second, ahead, aheadMinutes = 0] =
    TIME.exec(text)
      ?.slice(1)
      .map((part) => Number(part ?? 0)) ?? [];
  if (year === undefined || month === undefined || ahead === undefined) return false;
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const read = [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours()];
  const [readMinute, readSecond] = [time.getUTCMinutes(), time.getUTCSeconds()];
  return (
    [year, month, day, hour].every((part, at) => part === read[at]) &&
    minute === readMinute &&
    second === readSecond &&
    ahead < 16 &&
    aheadMinutes < 60
  );
}

const KEY: Record<KeysetSort['cast'], (key: string) => boolean> = {
  timestamptz: isTimestamp,
  bigint: (key) => /^-?\d{1,18}$/.test(key),
  text: (key) => !key.includes('\0'),
};
/** An operation that leaves the value unchanged but keeps the planner from using an index. */
const HIDDEN: Record<KeysetSort['cast'], string> = {
  timestamptz: "+ interval '0'",
  bigint: '+ 0',
  text: "|| ''",
};
export type Keyset = {
  /** The sort column, and its value at the cursor; undefined on the first page. */
  by: RawBuilder<unknown>;
  keyAfter: string | undefined;
  key: RawBuilder<string>;
  orderBy: RawBuilder<unknown>;
  /** The same order without an index, for rows that are collected first. */
  unindexedOrderBy: RawBuilder<unknown>;
  /** Condition for the rows after the cursor; `true` on the first page. */
  after: RawBuilder<boolean>;
};

/**
 * Returns the SQL parts of one page of a list.
 * @param sorts the sorts by name
 * @param sort the chosen sort; it is part of the cursor
 * @param cursor from {@link cut}; empty for the first page
 * @throws AppError 400 for an invalid cursor, or one of another sort
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
    by,
    keyAfter: place?.page_key,
    key: sql<string>`${by}::text`,
    orderBy: sql`${by} ${way}, id ${way}`,
    unindexedOrderBy: sql`(${by} ${sql.raw(HIDDEN[cast])}) ${way}, id ${way}`,
    after: place
      ? sql<boolean>`(${by}, id) ${beyond} (${place.page_key}::${sql.raw(cast)}, ${place.id}::uuid)`
      : sql<boolean>`true`,
  };
}

/** Joins conditions with AND. */
export const all = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` AND `)}`;

/** Splits the result of a query for `limit + 1` rows into a page and the cursor of the next one. */
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
      if (typeof key === 'string' && KEY[cast](key) && typeof id === 'string' && isUuid(id))
        return { page_key: key, id };
    }
  } catch {
    // An invalid cursor is rejected below.
  }
  throw badRequest('bad_cursor', 'This page of the list does not exist. Start again from the first one.');
}

/** Yields all rows of a list page by page, for exports, with one page in memory at a time. */
export async function* eachRow<R>(
  page: (cursor: string | undefined) => Promise<{ items: R[]; nextCursor: string | null }>,
): AsyncGenerator<R> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, nextCursor } = await page(cursor);
    yield* items;
    cursor = nextCursor;
  }
}

/**
 * Returns the condition for a range of days (India's time) on a timestamp column; either end may be missing
 * or empty.
 */
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
  if (!isCalendarDay(day)) throw invalid([{ loc, msg: 'is not a day of the calendar' }]);
  return day;
}

/** Number of rows to scan for a text in list order before using its index. */
const NEAR = 4_000;

export type PageOptions = {
  /** The FROM clause of the list, with the sort columns. */
  list: RawBuilder<unknown>;
  /** Conditions that the sort's index covers, or that leave few rows. */
  conditions: readonly RawBuilder<boolean>[];
  /** Further conditions, for which a scan along the index until enough rows match could take long. */
  slowConditions?: readonly RawBuilder<boolean>[];
  /** Condition that a text occurs, with a trigram index ({@link occursIn}). */
  text?: RawBuilder<boolean> | undefined;
  /** The searched text if the sort column is the searched one: rows that begin with it then come first. */
  begins?: string | undefined;
  keyset: Keyset;
  /** Number of rows to return; one more than the page shows whether another page follows. */
  limit: number;
};

/**
 * Returns the rows of a page after the keyset's cursor. A frequent text is found in the next rows of the
 * list. If the scan does not find enough, the text is rare or far away, so the trigram index returns all
 * hits, which are then sorted. The planner alone might scan a million rows of the list. In name order, rows
 * that begin with the text are adjacent but may be far from the start, so the query looks them up there.
 * @param run executes a query that reads the given rows as a subquery
 */
export async function pageRows<R>(
  { list, conditions, slowConditions = [], text, begins, keyset: place, limit }: PageOptions,
  run: (rows: RawBuilder<unknown>) => Promise<R[]>,
): Promise<R[]> {
  const next = (filters: readonly RawBuilder<boolean>[], count: number) =>
    sql`SELECT * FROM ${list} WHERE ${all(filters)} ORDER BY ${place.orderBy} LIMIT ${count}`;
  if (!text) return run(next([...conditions, ...slowConditions, place.after], limit));
  const met = [...slowConditions, text];
  if (!begins) return searched([...conditions, place.after], limit);

  const small = begins.toLowerCase();
  const first = sql<boolean>`${place.by} LIKE ${likePart(small).slice(1)}`;
  const amongFirst = place.keyAfter === undefined || place.keyAfter.startsWith(small);
  const rows = amongFirst
    ? await run(next([...conditions, ...slowConditions, first, place.after], limit))
    : [];
  if (rows.length >= limit) return rows;
  const others = [...conditions, sql<boolean>`NOT ${first}`, ...(amongFirst ? [] : [place.after])];
  return [...rows, ...(await searched(others, limit - rows.length))];

  async function searched(filters: readonly RawBuilder<boolean>[], count: number): Promise<R[]> {
    const near = await run(
      sql`SELECT * FROM (${next(filters, NEAR)}) AS near WHERE ${all(met)} ORDER BY ${place.orderBy} LIMIT ${count}`,
    );
    if (near.length >= count) return near;
    return run(
      sql`SELECT * FROM ${list} WHERE ${all([...filters, ...met])} ORDER BY ${place.unindexedOrderBy} LIMIT ${count}`,
    );
  }
}

/** Minimum number of letters for which a trigram index finds a text inside words. */
const INSIDE_FROM = 3;

/**
 * Returns the condition that a text occurs in one of these lower-case columns; one or two letters must begin
 * a word.
 */
export function occursIn(columns: readonly RawBuilder<unknown>[], text: string): RawBuilder<boolean> {
  const small = text.toLowerCase();
  const patterns =
    [...small].length < INSIDE_FROM
      ? [likePart(small).slice(1), `% ${likePart(small).slice(1)}`]
      : [likePart(small)];
  const each = columns.flatMap((column) => patterns.map((pattern) => sql`${column} LIKE ${pattern}`));
  return sql<boolean>`(${sql.join(each, sql` OR `)})`;
}

/** Sorts of a list of named rows, by the columns `created_at` and `name_key`. */
export const AGE_AND_NAME = {
  newest: { column: 'created_at', cast: 'timestamptz', direction: 'desc' },
  oldest: { column: 'created_at', cast: 'timestamptz', direction: 'asc' },
  name: { column: 'name_key', cast: 'text', direction: 'asc' },
  '-name': { column: 'name_key', cast: 'text', direction: 'desc' },
} as const satisfies Record<string, KeysetSort>;

/** The meaning of a search: rows that it identifies, or a text that occurs in them. */
export type Found = { condition?: RawBuilder<boolean>; text?: RawBuilder<boolean> };

export type SearchedList<S extends string> = {
  list: RawBuilder<unknown>;
  sorts: Readonly<Record<S, KeysetSort>>;
  columns: RawBuilder<unknown>;
  find: (words: string) => Promise<Found>;
};

type ListQuery<S extends string> = {
  search?: string | undefined;
  status?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort: S;
  cursor?: string | undefined;
  limit: number;
};

/**
 * Returns one page of such a list and the cursor of the next. In a text sort, rows that begin with the
 * searched text come first.
 * @throws AppError 400 for a cursor of another list, 422 for an invalid day
 */
export async function searchedPage<DB, S extends string, R extends Placed>(
  db: Kysely<DB>,
  { list, sorts, columns, find }: SearchedList<S>,
  { search, status, from, to, sort, cursor, limit }: ListQuery<S>,
): Promise<{ items: R[]; nextCursor: string | null }> {
  const by = keyset(sorts, sort, cursor);
  const words = search?.trim();
  const meant = words ? await find(words) : {};
  const conditions = [
    ...(status ? [sql<boolean>`status = ${status}`] : []),
    ...(meant.condition ? [meant.condition] : []),
  ];
  const days = inDays('created_at', { from, to });
  const knowsDays = sorts[sort].column === 'created_at';
  const begins = sorts[sort].cast === 'text' ? words : undefined;
  const rows = await pageRows(
    {
      list,
      conditions: [...conditions, ...(knowsDays ? days : [])],
      slowConditions: knowsDays ? [] : days,
      text: meant.text,
      begins,
      keyset: by,
      limit: limit + 1,
    },
    async (page) => {
      const answer = await sql<R>`
        SELECT ${columns}, ${by.key} AS page_key FROM (${page}) AS page ORDER BY ${by.orderBy}`.execute(db);
      return answer.rows;
    },
  );
  return cut(rows, limit, sort);
}

/** Returns a LIKE pattern that matches a text anywhere. */
export const likePart = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
