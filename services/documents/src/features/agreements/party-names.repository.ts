/** The names under which people act in a document. A past act keeps the name of its time. */
import { prepared, type Tx } from '@karaar/db';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../db/schema.ts';

export type Act = { documentId: string; userId: string };
export type Rename = { userId: string; from: string; to: string };

/**
 * Records the current names of acting users, if they are new in their documents. Call it before the events of
 * the acts are written, because an event shows the newest name that is not later.
 * @param tx holds the row locks of the documents
 * @returns the acts of users whose names changed since their last act in that document, in order
 */
export async function recordNames<A extends Act>(
  tx: Tx<Database>,
  acts: readonly A[],
): Promise<(A & Rename)[]> {
  if (acts.length === 0) return [];
  const { rows } = await prepared(
    'record_names',
    sql<{ at: number; before: string; name: string }>`
    WITH now AS (
      SELECT a.document_id, d.user_id, d.name, min(a.at) AS at,
        ${newestName(sql`a.document_id`, sql`d.user_id`)} AS before
      FROM unnest(${acts.map(({ documentId }) => documentId)}::uuid[], ${acts.map(({ userId }) => userId)}::uuid[])
        WITH ORDINALITY AS a (document_id, user_id, at)
      JOIN directory d ON d.user_id = a.user_id AND d.name <> ''
      GROUP BY a.document_id, d.user_id
    ), added AS (
      INSERT INTO party_names (document_id, user_id, name)
      SELECT document_id, user_id, name FROM now WHERE before IS DISTINCT FROM name
    )
    SELECT at, before, name FROM now WHERE before <> name ORDER BY at`,
  ).execute(tx);
  // `at` is a place in `acts`, from 1.
  return rows.map(({ at, before, name }) => ({ ...(acts[at - 1] as A), from: before, to: name }));
}

/** SQL for the last name under which a user acted in a document, up to `at` if given; NULL if none. */
export const newestName = (
  documentId: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
  at?: RawBuilder<unknown>,
): RawBuilder<string | null> => sql`(
  SELECT n.name FROM party_names n
  WHERE n.document_id = ${documentId} AND n.user_id = ${userId}${at ? sql` AND n.at <= ${at}` : sql``}
  ORDER BY n.at DESC LIMIT 1)`;

/** Returns each user's name in a document: at the last act there, or else of the account. */
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

/** Returns the open documents in which this user acted under another name, in locking order. */
export async function openUnderOtherName(tx: Tx<Database>, userId: string, name: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT p.document_id AS id FROM parties p JOIN documents d ON d.id = p.document_id
    WHERE p.user_id = ${userId} AND d.status NOT IN ('draft', 'finalized')
      AND ${newestName(sql`p.document_id`, sql`p.user_id`)} <> ${name}
    ORDER BY p.document_id`.execute(tx);
  return rows.map(({ id }) => id);
}
