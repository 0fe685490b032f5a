/** The names under which people act in a document: an act keeps the name of its moment when the profile's name changes. */
import type { Tx } from '@karaar/platform/db-kit';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../db/schema.ts';

export type Rename = { userId: string; from: string; to: string };

/**
 * Records today's names of these users for a document, where they are new to it. Call it before the line of the act is written:
 * a line has the newest name that is not younger.
 * @param tx holds the document's row lock
 * @returns whose name has changed since their last act there
 */
export async function recordNames(
  tx: Tx<Database>,
  documentId: string,
  userIds: readonly string[],
): Promise<Rename[]> {
  const { rows } = await sql<{ user_id: string; name: string; before: string | null }>`
    WITH now AS (
      SELECT d.user_id, d.name, ${newestName(sql`${documentId}::uuid`, sql`d.user_id`)} AS before
      FROM directory d WHERE d.user_id = ANY(${[...userIds]}::uuid[]) AND d.name <> ''
    ), added AS (
      INSERT INTO party_names (document_id, user_id, name)
      SELECT ${documentId}::uuid, user_id, name FROM now WHERE before IS DISTINCT FROM name
    )
    SELECT * FROM now WHERE before <> name`.execute(tx);
  return rows.map(({ user_id, name, before }) => ({ userId: user_id, from: before ?? '', to: name }));
}

/** The last name under which a user acted in a document, or, where `at` is given, acted until then; NULL for none. */
export const newestName = (
  documentId: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
  at?: RawBuilder<unknown>,
): RawBuilder<string | null> => sql`(
  SELECT n.name FROM party_names n
  WHERE n.document_id = ${documentId} AND n.user_id = ${userId}${at ? sql` AND n.at <= ${at}` : sql``}
  ORDER BY n.at DESC LIMIT 1)`;

/** The names of these users in a document, by user: of the last act there, or of the account. */
export async function namesIn(
  tx: Tx<Database>,
  documentId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<{ user_id: string; name: string }>`
    SELECT d.user_id, coalesce(${newestName(sql`${documentId}::uuid`, sql`d.user_id`)}, d.name) AS name
    FROM directory d WHERE d.user_id = ANY(${[...userIds]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ user_id, name }) => [user_id, name]));
}

/** Documents that are neither drafts nor sealed, in which this user acted under another name; in the order in which to lock them. */
export async function openUnderOtherName(tx: Tx<Database>, userId: string, name: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT p.document_id AS id FROM parties p JOIN documents d ON d.id = p.document_id
    WHERE p.user_id = ${userId} AND d.status NOT IN ('draft', 'finalized')
      AND ${newestName(sql`p.document_id`, sql`p.user_id`)} <> ${name}
    ORDER BY p.document_id`.execute(tx);
  return rows.map(({ id }) => id);
}
