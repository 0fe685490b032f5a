import { sql, type Kysely } from 'kysely';

/**
 * Parts of an upload that its pages do not hold, and when the creator accepted that. Neither changes while an approval of
 * the pages is in force. Of files from before, nobody has looked for such parts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE raw_files
      ADD COLUMN left_out text[] NOT NULL DEFAULT '{}',
      ADD COLUMN left_out_accepted_at timestamptz`.execute(db);
  await sql`ALTER TABLE uploads ADD COLUMN left_out text[] NOT NULL DEFAULT '{}'`.execute(db);
  await sql`
    CREATE TRIGGER raw_files_left_out_stays
    BEFORE UPDATE OF left_out, left_out_accepted_at ON raw_files
    FOR EACH ROW WHEN (
      OLD.left_out IS DISTINCT FROM NEW.left_out
      OR OLD.left_out_accepted_at IS DISTINCT FROM NEW.left_out_accepted_at
    ) EXECUTE FUNCTION refuse_other_pages()`.execute(db);
}
