/** The admins' list of all documents, and how many there are. */
import type { AdminDocumentSort, DocumentStatus } from '@karaar/contracts/documents/http';
import { isCode8 } from '@karaar/platform/db-kit';
import { whoIs } from '@karaar/platform/directory';
import {
  all,
  cut,
  inDays,
  keyset,
  likePart,
  textHits,
  type KeysetSort,
  type Placed,
} from '@karaar/platform/keyset';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { isUuid } from '../../ids.ts';

export type DocumentFilters = {
  search?: string | undefined;
  status?: DocumentStatus | '' | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: AdminDocumentSort | undefined;
};
export type DocumentPage = DocumentFilters & { cursor?: string | undefined; limit: number };

const SORTS = {
  newest: { column: 'created_at', cast: 'timestamptz', direction: 'desc' },
  oldest: { column: 'created_at', cast: 'timestamptz', direction: 'asc' },
  name: { column: 'name_key', cast: 'text', direction: 'asc' },
  '-name': { column: 'name_key', cast: 'text', direction: 'desc' },
} as const satisfies Record<AdminDocumentSort, KeysetSort>;

/** What a search means, each by an index of its own. */
async function found(db: Kysely<Database>, search: string): Promise<RawBuilder<boolean>> {
  if (isCode8(search)) {
    const document = await db
      .selectFrom('documents')
      .select('id')
      .where('document_code', '=', search.toUpperCase())
      .executeTakeFirst();
    if (document) return sql<boolean>`id = ${document.id}::uuid`;
  }
  const person = await whoIs(db, search);
  if (person) return sql<boolean>`id IN (SELECT document_id FROM parties WHERE user_id = ${person}::uuid)`;
  if (isUuid(search)) return sql<boolean>`id = ${search}::uuid`;
  const part = likePart(search.toLowerCase());
  return textHits(db, 'documents', sql<boolean>`(lower(name) LIKE ${part} OR lower(location) LIKE ${part})`);
}

/** Ids of one page and the cursor of the next. Throws 400 for a cursor of another list, 422 for a day that is none. */
export async function listDocumentIds(
  db: Kysely<Database>,
  { search, status, from, to, sort = 'newest', cursor, limit }: DocumentPage,
): Promise<{ items: Placed[]; nextCursor: string | null }> {
  const { key, orderBy, after } = keyset(SORTS, sort, cursor);
  const words = search?.trim();
  const conditions = [
    after,
    ...(status ? [sql<boolean>`status = ${status}`] : []),
    ...(words ? [await found(db, words)] : []),
    ...inDays('created_at', { from, to }),
  ];
  const { rows } = await sql<Placed>`
    SELECT id, ${key} AS page_key
    FROM (SELECT id, status, name, location, created_at, lower(name) AS name_key FROM documents) d
    WHERE ${all(conditions)} ORDER BY ${orderBy} LIMIT ${limit + 1}`.execute(db);
  return cut(rows, limit, sort);
}

export type StatusCounts = {
  statuses: { status: DocumentStatus; count: number }[];
  byDay: { day: string; status: DocumentStatus; count: number }[];
};

/** All documents by status, and those of the last days by India's day of creation and by what became of them. */
export async function countDocuments(db: Kysely<Database>, days: number): Promise<StatusCounts> {
  const { rows: statuses } = await sql<StatusCounts['statuses'][number]>`
    SELECT status, count(*)::int AS count FROM documents GROUP BY status`.execute(db);
  const { rows: byDay } = await sql<StatusCounts['byDay'][number]>`
    SELECT to_char(created_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') AS day, status, count(*)::int AS count
    FROM documents WHERE created_at >= now() - make_interval(days => ${days})
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db);
  return { statuses, byDay };
}
