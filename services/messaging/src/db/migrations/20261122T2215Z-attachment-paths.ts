import { sql, type Kysely } from 'kysely';

/** By which the message of a file is found whenever the file is opened. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX messages_attachment_path ON messages ((attachment->>'path')) WHERE attachment IS NOT NULL`.execute(
    db,
  );
}
