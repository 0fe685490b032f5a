import { sql, type Kysely } from 'kysely';

/**
 * Users are found by any part of a name or an e-mail (admins) and by the beginning of a word of the name (the
 * directory). Facts of version 1 carried names and contacts; nobody reads them any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db);
  await sql`DROP INDEX users_name`.execute(db);
  // The space makes the beginning of the name the beginning of a word like any other.
  await sql`CREATE INDEX users_name_search ON users USING gin ((' ' || lower(name)) gin_trgm_ops)`.execute(
    db,
  );
  await sql`CREATE INDEX users_email_search ON users USING gin (lower(email) gin_trgm_ops)`.execute(db);
  await sql`
    DELETE FROM outbox
    WHERE type IN ('auth.user.registered', 'auth.user.updated') AND version = 1`.execute(db);
}
