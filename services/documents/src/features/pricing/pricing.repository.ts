import { DEFAULT_DAILY_RATE_PAISE } from '@karaar/contracts/charge';
import type { Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, PricingTable } from '../../db/schema.ts';

export type PricingRow = Selectable<PricingTable>;
export type PricingHistory = { first: PricingRow; latest: PricingRow };

/** Returns the first and the newest rate; undefined before the first. */
export async function findPricing(db: Db): Promise<PricingHistory | undefined> {
  const first = await db.selectFrom('pricing').selectAll().orderBy('id').limit(1).executeTakeFirst();
  const latest = await db.selectFrom('pricing').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
  return first && latest && { first, latest };
}

/** Returns the rate for a document created now, in paise. */
export async function currentRatePaise(db: Db): Promise<number> {
  const pricing = await findPricing(db);
  return pricing ? pricing.latest.daily_rate_paise : DEFAULT_DAILY_RATE_PAISE;
}

/** Locks pricing, so that the ids of changes have the order in which the changes took effect. */
export async function lockPricing(tx: Tx<Database>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('documents.pricing'))`.execute(tx);
}

/** @returns the id of this change */
export async function insertPricing(
  tx: Tx<Database>,
  rate: { dailyRatePaise: number; authorId: string; authorName: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('pricing')
    .values({
      daily_rate_paise: rate.dailyRatePaise,
      author_id: rate.authorId,
      author_name: rate.authorName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const latestChanges = (db: Db, limit: number): Promise<PricingRow[]> =>
  db.selectFrom('pricing').selectAll().orderBy('id', 'desc').limit(limit).execute();

/** Returns true unless an admin has switched price changes by users off. */
export async function isUserEditingOn(db: Db): Promise<boolean> {
  const latest = await db
    .selectFrom('pricing_editing')
    .select('enabled')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest?.enabled ?? true;
}

export async function insertUserEditing(tx: Tx<Database>, enabled: boolean, authorId: string): Promise<void> {
  await tx.insertInto('pricing_editing').values({ enabled, author_id: authorId }).execute();
}
