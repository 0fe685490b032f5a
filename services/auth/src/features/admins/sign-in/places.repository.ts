import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';

/** Days for which an address is remembered after the last sign-in from it. */
const KNOWN_DAYS = 90;

export async function isKnownPlace(db: Db, adminId: string, placeKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('admin_places')
    .select('seen_at')
    .where('admin_id', '=', adminId)
    .where('place_key', '=', placeKey)
    .where('seen_at', '>', sql<Date>`now() - ${KNOWN_DAYS} * interval '1 day'`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function notePlace(db: Db, adminId: string, placeKey: string): Promise<void> {
  await db
    .insertInto('admin_places')
    .values({ admin_id: adminId, place_key: placeKey })
    .onConflict((conflict) =>
      conflict.columns(['admin_id', 'place_key']).doUpdateSet({ seen_at: sql<Date>`now()` }),
    )
    .execute();
}

export async function prunePlaces(db: Db): Promise<void> {
  await sql`DELETE FROM admin_places WHERE seen_at < now() - ${KNOWN_DAYS} * interval '1 day'`.execute(db);
}
