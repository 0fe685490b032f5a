import { directoryMarks } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';

/** What the admins' list of all documents is read by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX documents_by_age ON documents (created_at, id)`.execute(db);
  await sql`CREATE INDEX documents_by_status ON documents (status, created_at, id)`.execute(db);
  await sql`CREATE INDEX documents_by_name ON documents (lower(name), id)`.execute(db);
  await sql`CREATE INDEX documents_by_status_and_name ON documents (status, lower(name), id)`.execute(db);
  await sql`
    CREATE INDEX documents_search ON documents
    USING gin (lower(name) gin_trgm_ops, lower(location) gin_trgm_ops)`.execute(db);
  await directoryMarks(db);
}
