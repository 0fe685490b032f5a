import { sql, type Kysely } from 'kysely';

/** What the admins' lists are read by, and an audit log that holds the acts of all services. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX users_by_age ON users (created_at, id)`.execute(db);
  await sql`CREATE INDEX users_by_status ON users (status, created_at, id)`.execute(db);
  await sql`CREATE INDEX users_by_name ON users (lower(name), id)`.execute(db);

  // Orders and refunds of the card provider have ids that are no UUIDs.
  await sql`ALTER TABLE admin_audit ALTER COLUMN target_id TYPE text`.execute(db);
  await sql`ALTER TABLE admin_audit ADD COLUMN target text NOT NULL DEFAULT ''`.execute(db);
  await sql`CREATE INDEX admin_audit_by_time ON admin_audit (at, id)`.execute(db);
  await sql`CREATE INDEX admin_audit_by_action ON admin_audit (action text_pattern_ops, at, id)`.execute(db);
  await sql`CREATE INDEX admin_audit_by_admin ON admin_audit (admin_id, at, id)`.execute(db);
  await sql`CREATE INDEX admin_audit_by_target ON admin_audit (target_id, at, id)`.execute(db);
}
