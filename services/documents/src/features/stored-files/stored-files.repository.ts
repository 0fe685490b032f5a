/** Stored files that the database references. Lists all columns that can hold the path of a blob. */
import { takeBack } from '@karaar/storage/blobs';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';

/** Returns the paths that a row references. */
export async function namedPaths(db: Db, paths: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    WITH asked AS MATERIALIZED (SELECT unnest(${paths}::text[]) AS path)
    SELECT path FROM asked WHERE path IN (
      SELECT final_path FROM documents WHERE final_path = ANY (${paths})
      UNION ALL SELECT path FROM attachments WHERE path = ANY (${paths})
      UNION ALL SELECT path FROM orphaned_images WHERE path = ANY (${paths})
      UNION ALL SELECT named FROM raw_files, unnest(ARRAY[path, preview_path, thumb_path, text_path]) AS named
        WHERE named = ANY (${paths})
      UNION ALL SELECT named FROM uploads, unnest(ARRAY[path, preview_path, thumb_path, text_path]) AS named
        WHERE named = ANY (${paths})
      UNION ALL SELECT named FROM verifications, unnest(ARRAY[profile_pic, eye, sign, thumb]) AS named
        WHERE named = ANY (${paths})
    )`.execute(db);
  return rows.map(({ path }) => path);
}

/**
 * Deletes files that were stored for a change that failed with `error` or was not needed. Files that a row
 * references stay.
 *
 * @param owner has only these files; erased if no row references any of them
 */
export const takeBackFiles = (
  ctx: Pick<Context, 'db' | 'blobs' | 'logger'>,
  error: unknown,
  paths: readonly string[],
  owner?: string,
): Promise<void> => takeBack({ ...ctx, named: (of) => namedPaths(ctx.db, of) }, error, paths, owner);
