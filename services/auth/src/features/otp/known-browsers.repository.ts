/**
 * Browsers on which a user has signed in with a code, as HMACs of number and browser. Codes that other people
 * request do not delay them.
 */
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

export async function rememberBrowser(db: Db, key: string, userId: string): Promise<void> {
  await db
    .insertInto('known_browsers')
    .values({ key, user_id: userId })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ user_id: userId, seen_at: sql<Date>`now()` }),
    )
    .execute();
}

export async function forgetBrowsers(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('known_browsers').where('user_id', '=', userId).execute();
}

export async function pruneBrowsers(db: Db): Promise<void> {
  await sql`DELETE FROM known_browsers WHERE seen_at < now() - interval '180 days'`.execute(db);
}
