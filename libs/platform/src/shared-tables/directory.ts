/** A service's own copy of who the users are. */
import { sql, type Kysely } from 'kysely';

/** Creates the table. */
export async function directoryTables<DB>(db: Kysely<DB>): Promise<void> {
  await sql`
    create table directory (
      user_id uuid primary key,
      char_id text not null unique,
      name text not null,
      email text not null,
      phone_no text not null,
      -- Null while not known.
      language text,
      is_active boolean not null,
      profile_complete boolean not null,
      version integer not null
    )`.execute(db);
}

/** Indexes by which `whoIs` of `@karaar/platform/directory` finds. Only a service that looks people up for admins needs them. */
export async function directoryMarks<DB>(db: Kysely<DB>): Promise<void> {
  await sql`create index directory_by_phone on directory (phone_no)`.execute(db);
  await sql`create index directory_by_email on directory (lower(email))`.execute(db);
}
