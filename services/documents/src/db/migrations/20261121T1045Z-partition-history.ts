import { partitionByTime } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';

/**
 * Divides the histories by the month in which their document was begun: a history is read and written by its document,
 * so that all of it lies in one partition.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE document_events DROP CONSTRAINT document_events_pkey`.execute(db);
  await sql`ALTER TABLE document_events ADD PRIMARY KEY (document_id, id)`.execute(db);
  await partitionByTime(db, { table: 'document_events', key: 'document_id', months: 1 });
}
