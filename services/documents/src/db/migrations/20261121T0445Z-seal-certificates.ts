import { sql, type Kysely } from 'kysely';

/** The certificates that sealed, with their chains: a seal of years ago is still known as ours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE seal_certificates (
      fingerprint text PRIMARY KEY CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
      chain jsonb NOT NULL,
      first_used_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TRIGGER seal_certificates_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seal_certificates
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}
