import { sql, type Kysely } from 'kysely';

/**
 * Approvals bind the pages that were made of the files (statements of version 2). Approvals from before stay as they were
 * recorded, in version 1. Pages that somebody's approval binds cannot be exchanged. Of pages that stand as pictures it is
 * kept why, and when the creator accepted it; pages have their text beside them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE raw_files
      ADD COLUMN picture_reasons text[] NOT NULL DEFAULT '{}',
      ADD COLUMN pictures_accepted_at timestamptz,
      ADD COLUMN text_path text`.execute(db);
  await sql`
    ALTER TABLE uploads
      ADD COLUMN picture_reasons text[] NOT NULL DEFAULT '{}',
      ADD COLUMN text_path text`.execute(db);
  await sql`
    ALTER TABLE approvals
      ADD COLUMN content_form smallint NOT NULL DEFAULT 1 CHECK (content_form IN (1, 2))`.execute(db);
  await sql`DROP TRIGGER approvals_stay ON approvals`.execute(db);
  await sql`
    CREATE TRIGGER approvals_stay
    BEFORE UPDATE OF id, document_id, user_id, approved_at, content_hash, statement, basis, content_form OR TRUNCATE
    ON approvals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  await sql`
    CREATE FUNCTION refuse_other_pages() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT FROM approvals
        WHERE document_id = OLD.document_id AND withdrawn_at IS NULL AND content_form >= 2
      ) THEN
        RAISE EXCEPTION 'these pages were approved' USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN NEW;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER raw_files_pages_stay
    BEFORE UPDATE OF preview_path, preview_sha256, pictures ON raw_files
    FOR EACH ROW WHEN (
      OLD.preview_path IS DISTINCT FROM NEW.preview_path
      OR OLD.preview_sha256 IS DISTINCT FROM NEW.preview_sha256
      OR OLD.pictures IS DISTINCT FROM NEW.pictures
    ) EXECUTE FUNCTION refuse_other_pages()`.execute(db);
}
