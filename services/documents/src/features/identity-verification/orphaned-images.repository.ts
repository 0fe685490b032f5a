/** Orphaned images, which no verification references. A trigger on `verifications` inserts them. */
import { claimDue } from '@karaar/db/claims';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Leases some due images. If the worker dies, they are due again after `leaseMs`, later each time. */
export const claimOrphanedImages = (
  db: Db,
  count: number,
  leaseMs: number,
): Promise<{ path: string; attempts: number }[]> =>
  claimDue<{ path: string; attempts: number }>(db, {
    table: 'orphaned_images',
    key: 'path',
    due: sql`due_at <= now()`,
    order: sql`due_at`,
    limit: count,
    take: sql`attempts = attempts + 1, due_at = now() + ${leaseMs} * least(attempts + 1, 60) * interval '1 millisecond'`,
  });

export async function forgetOrphanedImage(db: Db, path: string): Promise<void> {
  await db.deleteFrom('orphaned_images').where('path', '=', path).execute();
}
