import { sql, type Kysely } from 'kysely';

/** Creates the table of `@karaar/bus/directory`, a service's own copy of the users. */
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

/**
 * Creates the indexes for `whoIs` of `@karaar/bus/directory`, needed only by services in which admins
 * look users up.
 */
export async function directoryMarks<DB>(db: Kysely<DB>): Promise<void> {
  await sql`create index directory_by_phone on directory (phone_no)`.execute(db);
  await sql`create index directory_by_email on directory (lower(email))`.execute(db);
}
