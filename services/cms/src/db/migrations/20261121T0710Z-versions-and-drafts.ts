import { sql, type Kysely } from 'kysely';

/** Every version of a page stays; a draft is beside it until it is published or dropped. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE page_versions (
      slug text NOT NULL REFERENCES pages (slug),
      version integer NOT NULL CHECK (version > 0),
      title text NOT NULL,
      content text NOT NULL,
      note text NOT NULL,
      author_id text,
      author_name text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (slug, version)
    )`.execute(db);
  await sql`
    INSERT INTO page_versions (slug, version, title, content, note, author_name, created_at)
    SELECT slug, version, title, content, '', '', updated_at FROM pages`.execute(db);
  await sql`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'versions of pages are never changed'; END $$`.execute(db);
  await sql`
    CREATE TRIGGER page_versions_are_kept BEFORE UPDATE OR DELETE ON page_versions
    FOR EACH ROW EXECUTE FUNCTION refuse_change()`.execute(db);
  await sql`
    CREATE TABLE page_drafts (
      slug text PRIMARY KEY REFERENCES pages (slug),
      title text NOT NULL,
      content text NOT NULL,
      base_version integer NOT NULL,
      revision integer NOT NULL,
      author_id text NOT NULL,
      author_name text NOT NULL,
      updated_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
}
