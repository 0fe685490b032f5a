import { DEFAULT_DAILY_RATE_PAISE } from '@karaar/contracts/charge';
import type { Tx } from '@karaar/platform/db-kit';
import type { Kysely, Selectable } from 'kysely';
import type { Database, PricingTable } from '../../db/schema.ts';

export type PricingRow = Selectable<PricingTable>;
export type PricingHistory = { first: PricingRow; latest: PricingRow };
type Db = Kysely<Database> | Tx<Database>;

/** The first and the newest rate ever set; undefined while none is. */
export async function findPricing(db: Db): Promise<PricingHistory | undefined> {
  const first = await db.selectFrom('pricing').selectAll().orderBy('id').limit(1).executeTakeFirst();
  const latest = await db.selectFrom('pricing').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
  return first && latest && { first, latest };
}

/** The rate that a document created now is charged by, in paise. */
export async function currentRatePaise(db: Db): Promise<number> {
  const pricing = await findPricing(db);
  return pricing ? pricing.latest.daily_rate_paise : DEFAULT_DAILY_RATE_PAISE;
}

export async function insertPricing(
  tx: Tx<Database>,
  rate: { dailyRatePaise: number; authorId: string; authorName: string },
): Promise<void> {
  await tx
    .insertInto('pricing')
    .values({
      daily_rate_paise: rate.dailyRatePaise,
      author_id: rate.authorId,
      author_name: rate.authorName,
    })
    .execute();
}
