import { sql, type Kysely } from 'kysely';

/** Who has proved the number or address of an invitation, for two hours. Neither contact nor proof is kept in clear. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE contact_proofs (
      proof_hash text PRIMARY KEY,
      invitation_id uuid NOT NULL,
      contact_key text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX contact_proofs_by_expiry ON contact_proofs (expires_at)`.execute(db);
}
