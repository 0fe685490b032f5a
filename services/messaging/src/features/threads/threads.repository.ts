import { readCode, readPhone, ungrouped } from '@karaar/contracts/typed/read';
import { prepared } from '@karaar/db';
import { sql, type RawBuilder } from 'kysely';
import type { Attachment, Db } from '../../db/schema.ts';
import type { ListPlace } from './threads.ts';

/** How far each side has read the other's messages, and how far the caller's were delivered. */
export type Marks = { read_seq: number; their_read_seq: number; their_delivered_seq: number };

export type Pair = Marks & {
  user_id: string;
  char_id: string;
  name: string;
  email: string;
  phone_no: string;
  is_active: boolean;
  /** Null until the first message. */
  conversation_id: string | null;
  last_seq: number;
  unread: number;
  shared_documents: number;
  /**
   * True if phone and e-mail are shown: the two share a document, or both have written (design §3 Who sees
   * what).
   */
  known: boolean;
  /** `blocks`: the caller has blocked the other. `blocked`: the other has blocked the caller. */
  blocks: boolean;
  blocked: boolean;
};

/** `d` is the other's directory entry, `m` the caller's thread, `t` the other's thread. */
const known = sql`(coalesce(m.shared_documents, 0) > 0 OR (coalesce(m.written, false) AND coalesce(t.written, false)))`;

const pairColumns = (viewer: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql`
  ${other} AS user_id, coalesce(d.char_id, '') AS char_id, coalesce(d.name, '') AS name,
  coalesce(d.email, '') AS email, coalesce(d.phone_no, '') AS phone_no, coalesce(d.is_active, true) AS is_active,
  m.conversation_id, coalesce(m.last_seq, 0) AS last_seq, coalesce(m.unread, 0) AS unread,
  coalesce(m.shared_documents, 0) AS shared_documents, ${known} AS known,
  coalesce(m.read_seq, 0) AS read_seq, coalesce(t.read_seq, 0) AS their_read_seq,
  coalesce(t.delivered_seq, 0) AS their_delivered_seq,
  EXISTS (SELECT FROM blocks WHERE user_id = ${viewer} AND blocked_id = ${other}) AS blocks,
  EXISTS (SELECT FROM blocks WHERE user_id = ${other} AND blocked_id = ${viewer}) AS blocked`;

export type PairQuery = { viewer: string; other: string };

/**
 * Returns the relation of each two users, from the caller's view; undefined if the other is not in the
 * directory.
 */
export async function findPairs(db: Db, queries: readonly PairQuery[]): Promise<(Pair | undefined)[]> {
  const { rows } = await prepared(
    'chat_pairs',
    sql<Pair & { nth: number }>`
    SELECT ${pairColumns(sql`asked.viewer`, sql`d.user_id`)}, asked.nth
    FROM unnest(${queries.map(({ viewer }) => viewer)}::uuid[], ${queries.map(({ other }) => other)}::uuid[])
      WITH ORDINALITY AS asked (viewer, other, nth)
    JOIN directory d ON d.user_id = asked.other
    LEFT JOIN threads m ON m.user_id = asked.viewer AND m.other_id = d.user_id
    LEFT JOIN threads t ON t.user_id = d.user_id AND t.other_id = asked.viewer`,
  ).execute(db);
  const found = new Map(rows.map(({ nth, ...pair }) => [nth, pair]));
  return queries.map((_, at) => found.get(at + 1));
}

export type ListedThread = Pair & {
  active_at: Date;
  last_sender: string | null;
  last_content: string | null;
  last_at: Date | null;
  last_attachment: Attachment | null;
};

/** Returns a user's threads: unread ones first, then by latest activity. */
export async function listThreads(
  db: Db,
  viewer: string,
  page: { search?: string | undefined; after: ListPlace | null; limit: number },
): Promise<ListedThread[]> {
  const { after } = page;
  const { rows } = await sql<ListedThread>`
    SELECT ${pairColumns(sql`m.user_id`, sql`m.other_id`)}, m.active_at, last.sender_id AS last_sender,
      last.content AS last_content, last.created_at AS last_at, last.attachment AS last_attachment
    FROM threads m
    LEFT JOIN directory d ON d.user_id = m.other_id
    LEFT JOIN threads t ON t.user_id = m.other_id AND t.other_id = ${viewer}
    LEFT JOIN messages last ON last.conversation_id = m.conversation_id AND last.seq = m.last_seq
    WHERE m.user_id = ${viewer} AND (m.last_seq > 0 OR m.shared_documents > 0)
      ${after ? sql`AND ((m.unread > 0), m.active_at, m.other_id) < (${after.unread}::boolean, ${after.active_at}::timestamptz, ${after.other_id}::uuid)` : sql``}
      ${page.search ? matches(page.search) : sql``}
    ORDER BY (m.unread > 0) DESC, m.active_at DESC, m.other_id DESC
    LIMIT ${page.limit}`.execute(db);
  return rows;
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/**
 * Matches the beginning of a word of the name, the whole ID, and e-mail and phone as far as they are shown. A
 * masked contact is compared only with the mask: a match of the whole would confirm a guess, and the six
 * hidden digits are soon guessed.
 */
function matches(search: string): RawBuilder<unknown> {
  const text = search.toLowerCase();
  const like = escaped(text);
  const phone = readPhone(search);
  const part = ungrouped(search);
  const digits = phone ?? (/^\+?[0-9]{3,}$/.test(part) ? part : null);
  const lastFour = phone?.slice(-4) ?? null;
  const [, first = null, domain = null] = /^(.)[^@]*(@.+)$/u.exec(text) ?? [];
  return sql`AND (
    lower(d.name) LIKE ${`${like}%`} OR lower(d.name) LIKE ${`% ${like}%`}
    OR d.char_id = ${readCode(search) ?? null}::text
    OR (${known} AND (lower(d.email) LIKE ${`${like}%`} OR d.phone_no LIKE '%' || ${digits}::text || '%'))
    OR (NOT ${known} AND (right(d.phone_no, 4) = ${lastFour}::text
      OR (left(lower(d.email), 1) = ${first}::text AND substring(lower(d.email) FROM '@.*$') = ${domain}::text))))`;
}

/**
 * Marks the other's messages as read up to a position, forwards only.
 * @returns the position of the last message that counts as read, or null if nothing has changed
 */
export async function advanceRead(
  db: Db,
  { userId, otherId, upToSeq }: { userId: string; otherId: string; upToSeq: number },
): Promise<number | null> {
  const { rows } = await sql<{ seq: number }>`
    UPDATE threads t SET read_seq = newest.seq, read_nth = newest.nth,
      delivered_seq = GREATEST(t.delivered_seq, newest.seq)
    FROM (
      SELECT m.seq, m.nth FROM threads own JOIN messages m ON m.conversation_id = own.conversation_id
      WHERE own.user_id = ${userId} AND own.other_id = ${otherId} AND m.receiver_id = ${userId}
        AND m.seq > own.read_seq AND m.seq <= ${upToSeq}
      ORDER BY m.seq DESC LIMIT 1
    ) newest
    WHERE t.user_id = ${userId} AND t.other_id = ${otherId} AND t.read_seq < newest.seq
    RETURNING t.read_seq AS seq`.execute(db);
  return rows[0]?.seq ?? null;
}

export async function countUnread(db: Db, userIds: readonly string[]): Promise<number[]> {
  const { rows } = await prepared(
    'chat_unread',
    sql<{ user_id: string; count: number }>`
    SELECT user_id, sum(unread)::int AS count FROM threads
    WHERE user_id = ANY(${userIds}::uuid[]) AND unread > 0 GROUP BY user_id`,
  ).execute(db);
  const counts = new Map(rows.map(({ user_id, count }) => [user_id, count]));
  return userIds.map((userId) => counts.get(userId) ?? 0);
}
