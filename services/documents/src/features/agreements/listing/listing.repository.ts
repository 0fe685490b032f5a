/** The list of a user's documents: every change writes `my_documents`, and pages are read by keyset. */
import { readCode, readDigits } from '@karaar/contracts/typed/read';
import type { DocumentSort, DocumentStatus } from '@karaar/contracts/documents/http';
import type { Tx } from '@karaar/db';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Db } from '../../../db/schema.ts';

/** A row's position in a sorted list: the value of the sort column (null when sorted by age) and the id. */
export type Place = { key: string | null; id: string };
export type ListQuery = {
  search?: string | undefined;
  status?: DocumentStatus | undefined;
  archived?: boolean | undefined;
  label?: string | undefined;
  sort: DocumentSort;
  after?: Place | undefined;
  limit: number;
};

export async function refreshListing(tx: Tx<Database>, documentId: string): Promise<void> {
  await sql`
    DELETE FROM my_documents m
    WHERE m.document_id = ${documentId} AND NOT EXISTS (
      SELECT FROM parties p
      WHERE p.document_id = m.document_id AND p.user_id = m.user_id AND p.state <> 'requested'
    )`.execute(tx);
  await sql`
    INSERT INTO my_documents (user_id, document_id, status, waiting, name_key, search, changed_at)
    SELECT p.user_id, d.id, d.status,
      p.state = 'invited' AND d.status IN ('pending', 'pending_approval'),
      left(lower(d.name), 200),
      lower(concat_ws(' ', d.name, d.document_code, d.location, (
        SELECT string_agg(u.name, ' ' ORDER BY o.position) FROM parties o JOIN directory u USING (user_id)
        WHERE o.document_id = d.id AND o.state <> 'requested'
      ))),
      d.changed_at
    FROM documents d JOIN parties p ON p.document_id = d.id AND p.state <> 'requested'
    WHERE d.id = ${documentId}
    ON CONFLICT (user_id, document_id) DO UPDATE SET
      status = excluded.status, waiting = excluded.waiting, name_key = excluded.name_key,
      search = excluded.search, changed_at = excluded.changed_at`.execute(tx);
}

const ORDERS = {
  newest: { column: 'document_id', direction: 'desc' },
  oldest: { column: 'document_id', direction: 'asc' },
  changed: { column: 'changed_at', direction: 'desc' },
  name: { column: 'name_key', direction: 'asc' },
  '-name': { column: 'name_key', direction: 'desc' },
} as const;

/** Returns the ids of one page with their positions, and one row more than `limit` if more follow. */
export async function listIds(db: Db, userId: string, query: ListQuery): Promise<Place[]> {
  const { column, direction } = ORDERS[query.sort];
  const byAge = column === 'document_id';
  const patterns = words(query.search).map((word) => `%${word}%`);
  const code = readCode(query.search ?? '');
  const beyond = sql.raw(direction === 'desc' ? '<' : '>');
  const order = sql.raw(direction);
  const { key: at, id } = query.after ?? { key: null, id: null };
  const after = {
    document_id: sql`document_id ${beyond} ${id}`,
    changed_at: sql`(changed_at, document_id) ${beyond} (${at}::timestamptz, ${id}::uuid)`,
    name_key: sql`(name_key, document_id) ${beyond} (${at}, ${id}::uuid)`,
  }[column];
  const labelled = sql`document_id IN (
    SELECT document_id FROM document_labels WHERE user_id = ${userId} AND name = ${query.label})`;
  const rows = (matches: RawBuilder<unknown>, by: RawBuilder<unknown>) => sql`
    (SELECT document_id, ${sql.ref(column)} AS place FROM my_documents
    WHERE user_id = ${userId} AND ${query.archived === undefined ? sql`true` : sql`archived = ${query.archived}`}
      AND ${matches} AND ${query.label === undefined ? sql`true` : labelled}
      AND ${query.status ? sql`status = ${query.status}` : sql`true`} AND ${query.after ? after : sql`true`}
    ORDER BY ${by} ${order}, document_id ${order}
    LIMIT ${query.limit + 1})`;
  const contains = (text: string) =>
    sql`(${sql.join(
      patterns.map((pattern) => sql`${sql.ref(text)} LIKE ${pattern}`),
      sql` AND `,
    )}${code ? sql` OR ${sql.ref(text)} LIKE ${`%${code.toLowerCase()}%`}` : sql``})`;
  // Sorts by an expression without an index. Otherwise Postgres walks the sort index and fetches every row.
  const unordered = {
    document_id: sql`document_id`,
    changed_at: sql`changed_at + interval '0'`,
    name_key: sql`name_key || ''`,
  }[column];
  const page =
    patterns.length === 0
      ? rows(sql`true`, sql.ref(column))
      : sql`${rows(contains('search_head'), unordered)}
        UNION ${rows(sql`length(search) > 400 AND ${contains('search')}`, unordered)}`;
  const { rows: places } = await sql<Place>`
    SELECT ${byAge ? sql`NULL` : sql`place::text`} AS key, document_id AS id FROM (${page}) AS page
    ORDER BY place ${order}, document_id ${order} LIMIT ${query.limit + 1}`.execute(db);
  return places;
}

/** Returns up to five search words, escaped for LIKE. */
function words(search: string | undefined): string[] {
  return readDigits(search ?? '')
    .toLowerCase()
    .split(/[\s\p{Pd}]+/u)
    .filter(Boolean)
    .slice(0, 5)
    .map((word) => word.replaceAll(/[\\%_]/g, '\\$&'));
}

export async function waitingIds(db: Db, userId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('my_documents')
    .select('document_id')
    .where('user_id', '=', userId)
    .where('waiting', '=', true)
    .orderBy('document_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.document_id);
}

export async function countByStatus(
  db: Db,
  userId: string,
): Promise<{ statuses: { status: DocumentStatus; archived: boolean; count: number }[]; waiting: number }> {
  const statuses = await db
    .selectFrom('my_documents')
    .select(['status', 'archived', sql<number>`count(*)::int`.as('count')])
    .where('user_id', '=', userId)
    .groupBy(['status', 'archived'])
    .execute();
  const { waiting } = await db
    .selectFrom('my_documents')
    .select(sql<number>`count(*)::int`.as('waiting'))
    .where('user_id', '=', userId)
    .where('waiting', '=', true)
    .executeTakeFirstOrThrow();
  return { statuses, waiting };
}

export async function setArchived(
  db: Db,
  userId: string,
  documentId: string,
  archived: boolean,
): Promise<void> {
  await db
    .updateTable('my_documents')
    .set({ archived })
    .where('user_id', '=', userId)
    .where('document_id', '=', documentId)
    .execute();
}
