import { sql, type Kysely } from 'kysely';

/**
 * Images of a verification that no row names any more, because the party was removed or has verified anew. A trigger
 * notes them, in the transaction that lets go of them; a worker erases them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE forsaken_images (
      path text PRIMARY KEY,
      due_at timestamptz NOT NULL DEFAULT now(),
      attempts integer NOT NULL DEFAULT 0
    )`.execute(db);
  await sql`CREATE INDEX forsaken_images_due ON forsaken_images (due_at)`.execute(db);
  await sql`
    CREATE FUNCTION note_forsaken_images() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO forsaken_images (path)
      SELECT path FROM unnest(ARRAY[OLD.profile_pic, OLD.eye, OLD.sign, OLD.thumb]) AS path
      WHERE path IS NOT NULL AND (TG_OP = 'DELETE'
        OR path <> ALL (array_remove(ARRAY[NEW.profile_pic, NEW.eye, NEW.sign, NEW.thumb], NULL)))
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER verifications_forsaken AFTER UPDATE OR DELETE ON verifications
    FOR EACH ROW EXECUTE FUNCTION note_forsaken_images()`.execute(db);
  // Of parties who were removed before there was this table.
  await sql`
    DELETE FROM verifications v
    WHERE NOT EXISTS (SELECT FROM parties p WHERE p.document_id = v.document_id AND p.user_id = v.user_id)`.execute(
    db,
  );
}
