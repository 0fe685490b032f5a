import { busTables } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';

/** The cms database: static pages in Markdown. */
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
}
