import { sql, type Kysely } from 'kysely';

/**
 * Invitations are counted by their sender, and who has only been invited shares no document with the others any more.
 * What other services were told before said that they do, so every document with such a party is told anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE invitations (
      user_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX invitations_by_user ON invitations (user_id, at)`.execute(db);
  await sql`
    CREATE TABLE invitation_floods (
      user_id uuid PRIMARY KEY,
      told_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    WITH meant AS (
      UPDATE documents d SET version = version + 1
      WHERE d.status <> 'draft'
        AND EXISTS (SELECT FROM parties p WHERE p.document_id = d.id AND p.state IN ('invited', 'rejected'))
      RETURNING d.id, d.version, d.status, d.primary_user
    )
    INSERT INTO outbox (id, subject, type, version, aggregate_id, aggregate_version, data)
    SELECT uuidv7(), 'evt.documents.document.changed.v1', 'documents.document.changed', 1, m.id, m.version,
      json_build_object(
        'document_id', m.id, 'status', m.status, 'primary_user', m.primary_user,
        'involved_users', coalesce(json_agg(p.user_id ORDER BY p.position) FILTER (WHERE p.state <> 'requested'), '[]'),
        'acquainted_users', coalesce(
          json_agg(p.user_id ORDER BY p.position) FILTER (WHERE p.state IN ('primary', 'admitted', 'approved')), '[]'))
    FROM meant m JOIN parties p ON p.document_id = m.id
    GROUP BY m.id, m.version, m.status, m.primary_user`.execute(db);
}
