import { sql, type Kysely } from 'kysely';

/** A price change stays as it is for ever, but for the name of its author, which a deleted user takes along. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP TRIGGER pricing_append_only ON pricing`.execute(db);
  await sql`
    CREATE TRIGGER pricing_append_only
    BEFORE UPDATE OF id, daily_rate_paise, author_id, created_at OR DELETE OR TRUNCATE ON pricing
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}
