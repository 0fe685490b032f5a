import { sql, type Kysely } from 'kysely';

/** Signed notes by which the log went on under another name, after a recovery to an earlier time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE log_restarts (
      cut_size bigint PRIMARY KEY CHECK (cut_size >= 0),
      note text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TRIGGER log_restarts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_restarts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}
