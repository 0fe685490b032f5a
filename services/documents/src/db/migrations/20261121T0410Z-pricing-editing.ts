import { sql, type Kysely } from 'kysely';

/** The admins' switch for editing by users: each turn is kept, the newest counts, none means on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE pricing_editing (
      id serial PRIMARY KEY,
      enabled boolean NOT NULL,
      author_id uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TRIGGER pricing_editing_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON pricing_editing
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}
