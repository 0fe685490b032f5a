import { sql, type Kysely } from 'kysely';
import { OPEN_PAYMENT_SQL } from './open-payment.sql.ts';

/**
 * When a party leaves a document, what was learned of the document before starts no payment and sets no shares up any
 * more; the shares of before go when documents tells of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE charge_stops (
      document_id uuid PRIMARY KEY,
      -- Of the document: an answer of this version or an older one is too old.
      version integer NOT NULL
    )`.execute(db);
  await sql`ALTER TABLE distributions ADD COLUMN document_version integer NOT NULL DEFAULT 0`.execute(db);
  await sql.raw(OPEN_PAYMENT_SQL).execute(db);
}
