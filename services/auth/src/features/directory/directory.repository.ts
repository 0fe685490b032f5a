/** Looking users up for other users, and who shares a document with whom. */
import type { Tx } from '@karaar/platform/db-kit';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { UserRow } from '../accounts/accounts.repository.ts';

type Db = Kysely<Database> | Tx<Database>;

/**
 * Active users by id after `cursor`. A search matches the beginning of a word of the name, or a whole
 * e-mail, phone number or character ID (design §3 Who sees what).
 */
export async function searchUsers(
  db: Db,
  page: { search?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll().where('status', '=', 'active');
  const search = page.search?.trim().toLowerCase();
  if (search) {
    const escaped = search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
    const phone = search.startsWith('+91') ? search : `+91${search}`;
    query = query.where((where) =>
      where.or([
        where(sql`lower(name)`, 'like', `${escaped}%`),
        where(sql`lower(name)`, 'like', `% ${escaped}%`),
        where(sql`lower(email)`, '=', search),
        where('phone_no', '=', phone),
        where('char_id', '=', search.toUpperCase()),
      ]),
    );
  }
  if (page.cursor) query = query.where('id', '>', page.cursor);
  return query.orderBy('id').limit(page.limit).execute();
}

/** Whether a search is a whole e-mail address or phone number: such a hit tells whose it is. */
export const isContactSearch = (search: string): boolean =>
  search.includes('@') || /^(\+91)?[0-9]{10}$/.test(search.replaceAll(/[\s-]/g, ''));

/** Keeps who is part of a document; an older state of it changes nothing. */
export async function putSharedDocument(
  db: Db,
  document: { id: string; people: string[]; version: number },
): Promise<void> {
  await sql`
    INSERT INTO shared_documents (document_id, people, version)
    VALUES (${document.id}, ${document.people}::uuid[], ${document.version})
    ON CONFLICT (document_id) DO UPDATE SET people = excluded.people, version = excluded.version
    WHERE shared_documents.version < excluded.version`.execute(db);
}

/** Those of `others` with whom a user shares a document. */
export async function contactsAmong(db: Db, userId: string, others: readonly string[]): Promise<Set<string>> {
  if (others.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT person::text AS id
    FROM shared_documents, unnest(people) AS person
    WHERE people @> ARRAY[${userId}::uuid] AND person = ANY(${[...others]}::uuid[])`.execute(db);
  return new Set(rows.map((row) => row.id));
}
