import { sql, type Kysely } from 'kysely';

/**
 * Takes the right to change or delete what is never changed from the service's own role as well: the triggers refuse it
 * even to a role that has the right. Of transfers the right on one column stays, by which a foreign key may lock the row
 * that it points to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`REVOKE UPDATE, DELETE ON transfers, entries, refusals FROM CURRENT_USER`.execute(db);
  await sql`GRANT UPDATE (id) ON transfers TO CURRENT_USER`.execute(db);
}
