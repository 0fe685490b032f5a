/**
 * A service's own copy of who the users are.
 *
 * Frozen: migrations that have run somewhere call this, so it never changes (tools/frozen.json, ADR 0050).
 */
import { sql, type Kysely } from 'kysely';

/** Creates the table. Call it in the service's first migration. */
export async function directoryTables<DB>(db: Kysely<DB>): Promise<void> {
  await sql`
    create table directory (
      user_id uuid primary key,
      char_id text not null unique,
      name text not null,
      email text not null,
      phone_no text not null,
      is_active boolean not null,
      profile_complete boolean not null,
      version integer not null
    )`.execute(db);
}

/** Adds the language that each user reads (null while not known). Call it in a later migration. */
export async function directoryLanguage<DB>(db: Kysely<DB>): Promise<void> {
  await sql`alter table directory add column language text`.execute(db);
}

/** Indexes by which `whoIs` of `@karaar/platform/directory` finds. Call it in the migration of a service that looks people up for admins. */
export async function directoryMarks<DB>(db: Kysely<DB>): Promise<void> {
  await sql`create index directory_by_phone on directory (phone_no)`.execute(db);
  await sql`create index directory_by_email on directory (lower(email))`.execute(db);
}
