/** Old raw files, from before pages were made on upload, whose pages are still missing: rows with a lease. */
import { claimDue, inMs, isFree } from '@karaar/platform/worker';
import type { StoredPages } from '../uploads/pages.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

export type PreviewJob = {
  id: string;
  document_id: string;
  name: string;
  kind: 'pdf' | 'doc' | 'docx' | 'image';
  path: string;
  preview_path: string | null;
  thumb_path: string | null;
  text_path: string | null;
  preview_attempts: number;
};

/**
 * Takes the next file that no worker holds, or whose worker died; quick files before Word files. Pages that an
 * approval binds are not made again.
 */
export async function claimPreview(db: Db, leaseMs: number): Promise<PreviewJob | undefined> {
  const [job] = await claimDue<PreviewJob>(db, {
    table: 'raw_files',
    key: 'id',
    due: sql`preview_state = 'pending' AND ${isFree('preview_lease_until')}
      AND NOT EXISTS (
        SELECT FROM approvals a
        WHERE a.document_id = raw_files.document_id AND a.withdrawn_at IS NULL AND a.content_form >= 2
      )`,
    order: sql`kind IN ('doc', 'docx'), document_id`,
    limit: 1,
    take: sql`preview_attempts = preview_attempts + 1, preview_lease_until = ${inMs(leaseMs)}`,
  });
  return job;
}

/** Stores the pages; false when the file is gone or another worker was faster. */
export async function storePreview(db: Db, job: PreviewJob, pages: StoredPages): Promise<boolean> {
  const result = await db
    .updateTable('raw_files')
    .set({ ...pages, preview_lease_until: null })
    .where('id', '=', job.id)
    .where('preview_state', '=', 'pending')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Gives up on a file, which is then shown without a picture. */
export async function givePreviewUp(db: Db, job: PreviewJob): Promise<void> {
  await db
    .updateTable('raw_files')
    .set({ preview_state: 'failed', preview_lease_until: null })
    .where('id', '=', job.id)
    .execute();
}
