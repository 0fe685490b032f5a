import type { AdminDocumentSort, DocumentStatus } from '@karaar/contracts/documents/http';
import { readCode } from '@karaar/contracts/typed/read';
import { whoIs } from '@karaar/bus/directory';
import { AGE_AND_NAME, occursIn, searchedPage, type Found, type Placed } from '@karaar/db/keyset';
import { readCounters } from '@karaar/db/counters';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { isUuid } from '@karaar/db';

export type DocumentFilters = {
  search?: string | undefined;
  status?: DocumentStatus | '' | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: AdminDocumentSort | undefined;
};
export type DocumentPage = DocumentFilters & { cursor?: string | undefined; limit: number };

/** The conditions of a search, each with its own index. */
async function found(db: Db, search: string): Promise<Found> {
  const code = readCode(search);
  if (code) {
    const document = await db
      .selectFrom('documents')
      .select('id')
      .where('document_code', '=', code)
      .executeTakeFirst();
    if (document) return { condition: sql`id = ${document.id}::uuid` };
  }
  const person = await whoIs(db, search);
  if (person)
    return { condition: sql`id IN (SELECT document_id FROM parties WHERE user_id = ${person}::uuid)` };
  if (isUuid(search)) return { condition: sql`id = ${search}::uuid` };
  return { text: occursIn([sql`lower(name)`, sql`lower(location)`], search) };
}

const LIST = sql`(SELECT id, status, name, location, created_at, lower(name) AS name_key FROM documents) AS list`;

/**
 * Returns the ids of one page and the cursor of the next. Throws 400 for a cursor of another list, 422 for an
 * invalid day.
 */
export const listDocumentIds = (
  db: Db,
  page: DocumentPage,
): Promise<{ items: Placed[]; nextCursor: string | null }> =>
  searchedPage(
    db,
    { list: LIST, sorts: AGE_AND_NAME, columns: sql`id`, find: (words) => found(db, words) },
    { ...page, sort: page.sort ?? 'newest' },
  );

export type StatusCounts = {
  statuses: { status: DocumentStatus; count: number }[];
  byDay: { day: string; status: DocumentStatus; count: number }[];
};

/** Counts all documents by status, and those of the last `days` by day of creation (in India) and status. */
export async function countDocuments(db: Db, days: number): Promise<StatusCounts> {
  const { kinds, byDay } = await readCounters(db, 'documents', days);
  // Only statuses are counted in this table.
  return {
    statuses: kinds.map(({ kind, count }) => ({ status: kind as DocumentStatus, count })),
    byDay: byDay.map(({ day, kind, count }) => ({ day, status: kind as DocumentStatus, count })),
  };
}
