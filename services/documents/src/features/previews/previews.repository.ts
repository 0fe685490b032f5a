/** Raw files whose page count and thumbnail are still to be made: rows with a lease. */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

export type PreviewJob = {
  id: string;
  document_id: string;
  name: string;
  kind: 'pdf' | 'doc' | 'docx' | 'image';
  path: string;
  preview_attempts: number;
};

/** Takes the next file that nobody works on, also one whose worker died; quick ones before Word files. */
export async function claimPreview(db: Kysely<Database>, leaseMs: number): Promise<PreviewJob | undefined> {
  const { rows } = await sql<PreviewJob>`
    UPDATE raw_files SET
      preview_attempts = preview_attempts + 1,
      preview_lease_until = now() + ${leaseMs} * interval '1 millisecond'
    WHERE id = (
      SELECT id FROM raw_files
      WHERE preview_state = 'pending' AND (preview_lease_until IS NULL OR preview_lease_until < now())
      ORDER BY kind IN ('doc', 'docx'), document_id
      LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING id, document_id, name, kind, path, preview_attempts`.execute(db);
  return rows[0];
}

/** Puts a preview on record; false when the file is gone or another worker was faster. */
export async function storePreview(
  db: Kysely<Database>,
  job: PreviewJob,
  preview: { pages: number; thumbPath: string; previewPath: string | null },
): Promise<boolean> {
  const result = await db
    .updateTable('raw_files')
    .set({
      pages: preview.pages,
      thumb_path: preview.thumbPath,
      preview_path: preview.previewPath,
      preview_state: 'done',
      preview_lease_until: null,
    })
    .where('id', '=', job.id)
    .where('preview_state', '=', 'pending')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Gives up on a file: it is shown without a picture. */
export async function givePreviewUp(db: Kysely<Database>, job: PreviewJob): Promise<void> {
  await db
    .updateTable('raw_files')
    .set({ preview_state: 'failed', preview_lease_until: null })
    .where('id', '=', job.id)
    .execute();
}
