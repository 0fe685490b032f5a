/** Uploads that no document uses yet: leased while they are checked, deleted after a day. */
import { claimDue, inMs, isFree } from '@karaar/db/claims';
import { sql, type Selectable } from 'kysely';
import type { Db, UploadsTable } from '../../db/schema.ts';
import type { StoredPages } from './pages.ts';

/** The worker renews its lease while it checks a file. */
export const LEASE_MS = 15_000;

export type UploadRow = Selectable<UploadsTable>;
export type ReadyUpload = UploadRow & StoredPages;
export type NewUpload = Pick<
  UploadRow,
  'id' | 'user_id' | 'name' | 'kind' | 'mime' | 'size' | 'sha256' | 'path'
>;

export async function heldBy(db: Db, userId: string): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    SELECT count(*)::int AS files, coalesce(sum(size), 0)::bigint AS bytes
    FROM uploads WHERE user_id = ${userId}`.execute(db);
  return rows[0] ?? { files: 0, bytes: 0 };
}

export async function insertUpload(db: Db, upload: NewUpload, hours: number): Promise<UploadRow> {
  return db
    .insertInto('uploads')
    .values({ ...upload, expires_at: sql`now() + ${hours} * interval '1 hour'` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns the user's own uploads among these, in any order. */
export async function findUploads(db: Db, userId: string, ids: readonly string[]): Promise<UploadRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('uploads').selectAll().where('user_id', '=', userId).where('id', 'in', ids).execute();
}

/** Deletes the user's own uploads among these; returns their number. */
export async function deleteUploads(db: Db, userId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const done = await db
    .deleteFrom('uploads')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .executeTakeFirst();
  return Number(done.numDeletedRows);
}

/**
 * Leases an upload that no live worker is checking. Senders take turns: first the sender with the fewest
 * uploads being checked, then the sender whose last turn is the longest ago; each sender's oldest upload
 * comes first.
 * @param which `quick`: no uploads that have taken long; `any`: such an upload before all others
 */
export async function claimUpload(db: Db, which: 'quick' | 'any'): Promise<UploadRow | undefined> {
  const mayBe = which === 'quick' ? sql`NOT takes_long` : sql`true`;
  const underWay = sql`(
    SELECT count(*) FROM uploads o
    WHERE o.user_id = uploads.user_id AND o.state = 'checking' AND o.lease_until > now())`;
  const lastTaken = sql`(SELECT max(o.claimed_at) FROM uploads o WHERE o.user_id = uploads.user_id)`;
  const [upload] = await claimDue<UploadRow>(db, {
    table: 'uploads',
    key: 'id',
    due: sql`state = 'checking' AND ${isFree('lease_until')} AND ${mayBe}`,
    order: sql`takes_long DESC, ${underWay}, ${lastTaken} NULLS FIRST, created_at, id`,
    limit: 1,
    take: sql`attempts = attempts + 1, lease_until = ${inMs(LEASE_MS)}, claimed_at = clock_timestamp()`,
  });
  return upload;
}

/** Renews the lease of an upload that this worker checks, unless it has ended. */
export async function extendLease(db: Db, id: string): Promise<void> {
  await sql`
    UPDATE uploads SET lease_until = ${inMs(LEASE_MS)}
    WHERE id = ${id} AND state = 'checking' AND lease_until > now()`.execute(db);
}

/** Lets an upload be checked again after this time. */
export async function retryLater(db: Db, id: string, ms: number): Promise<void> {
  await sql`UPDATE uploads SET lease_until = ${inMs(ms)} WHERE id = ${id} AND state = 'checking'`.execute(db);
}

/** Records that an upload takes longer than its first time slot. */
export async function markLong(db: Db, id: string): Promise<void> {
  await sql`UPDATE uploads SET takes_long = true WHERE id = ${id} AND state = 'checking'`.execute(db);
}

/** Puts an upload back that was not done in its first time slot; this does not count as an attempt. */
export async function setAside(db: Db, id: string): Promise<void> {
  await sql`
    UPDATE uploads SET takes_long = true, attempts = attempts - 1, lease_until = NULL, pages_done = 0
    WHERE id = ${id} AND state = 'checking'`.execute(db);
}

export async function reportPages(
  db: Db,
  id: string,
  { done, total }: { done: number; total: number },
): Promise<void> {
  await sql`
    UPDATE uploads SET pages = ${total}, pages_done = ${done}
    WHERE id = ${id} AND state = 'checking'`.execute(db);
}

/** Returns false if the upload was deleted meanwhile, or another worker was faster. */
export async function storeReady(db: Db, id: string, pages: StoredPages): Promise<boolean> {
  const done = await db
    .updateTable('uploads')
    .set({ ...pages, pages_done: pages.pages, state: 'ready', lease_until: null })
    .where('id', '=', id)
    .where('state', '=', 'checking')
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function storeRefused(
  db: Db,
  id: string,
  refused: { fault: string; reason: string },
): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ ...refused, state: 'refused', lease_until: null })
    .where('id', '=', id)
    .where('state', '=', 'checking')
    .execute();
}

/** Deletes expired uploads. Returns their ids, which own the blobs to erase. */
export async function deleteExpired(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    DELETE FROM uploads WHERE id IN (SELECT id FROM uploads WHERE expires_at < now() LIMIT 100) RETURNING id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Returns true if the path belongs to an unused upload of this user. */
export async function isFileOfUpload(db: Db, path: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM uploads WHERE user_id = ${userId} AND ${path} IN (preview_path, thumb_path)
    ) AS found`.execute(db);
  return rows[0]?.found === true;
}
