/** Images that no verification names any more; a trigger on `verifications` writes them down. */
import type { Tx } from '@karaar/platform/db-kit';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';

/** Lets go of a party's verification; its images are erased afterwards. */
export async function dropVerification(tx: Tx<Database>, documentId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('verifications')
    .where('document_id', '=', documentId)
    .where('user_id', '=', userId)
    .execute();
}

/** Takes some that are due; who dies with them leaves them due again after `leaseMs`, later each time. */
export async function claimForsaken(
  db: Kysely<Database>,
  count: number,
  leaseMs: number,
): Promise<{ path: string; attempts: number }[]> {
  const { rows } = await sql<{ path: string; attempts: number }>`
    UPDATE forsaken_images SET
      attempts = attempts + 1,
      due_at = now() + ${leaseMs} * least(attempts + 1, 60) * interval '1 millisecond'
    WHERE path IN (
      SELECT path FROM forsaken_images WHERE due_at <= now() ORDER BY due_at LIMIT ${count} FOR UPDATE SKIP LOCKED
    )
    RETURNING path, attempts`.execute(db);
  return rows;
}

export async function forgetForsaken(db: Kysely<Database>, path: string): Promise<void> {
  await db.deleteFrom('forsaken_images').where('path', '=', path).execute();
}
