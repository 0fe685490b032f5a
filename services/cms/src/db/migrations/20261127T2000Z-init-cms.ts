import { busTables } from '@karaar/db/shared-tables';
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await busTables(db);
  await sql`
    CREATE TABLE pages (
      slug text PRIMARY KEY CHECK (slug ~ '^[a-z0-9-]{1,64}$'),
      title text NOT NULL,
      content text NOT NULL,
      version integer NOT NULL DEFAULT 1,
      updated_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
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
