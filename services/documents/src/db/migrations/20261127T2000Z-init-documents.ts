import { busTables, directoryMarks, directoryTables } from '@karaar/db/shared-tables';
import { sql, type Kysely } from 'kysely';
import { agreements } from './agreements.ts';
import { files } from './files.ts';
import { invitations } from './invitations.ts';
import { log } from './log.ts';
import { passkeys } from './passkeys.ts';
import { verifications } from './verifications.ts';

/** Creates the documents database: agreements, parties, files, the append-only history, the log and the jobs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db);
  await sql`CREATE EXTENSION IF NOT EXISTS btree_gin`.execute(db);
  await sql`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME;
    END $$`.execute(db);
  await busTables(db);
  await directoryTables(db);
  await directoryMarks(db);
  await agreements(db);
  await files(db);
  await verifications(db);
  await invitations(db);
  await log(db);
  await passkeys(db);
}
