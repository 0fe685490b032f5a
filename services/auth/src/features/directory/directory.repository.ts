import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Stores the parties of a document; an older version changes nothing. */
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

/** Returns those of `others` who share a document with the user. */
export async function contactsAmong(db: Db, userId: string, others: readonly string[]): Promise<Set<string>> {
  if (others.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT person::text AS id
    FROM shared_documents, unnest(people) AS person
    WHERE people @> ARRAY[${userId}::uuid] AND person = ANY(${[...others]}::uuid[])`.execute(db);
  return new Set(rows.map((row) => row.id));
}
