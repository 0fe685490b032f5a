/** Codes are not to be guessed (design §3 Parties): who names too many that do not exist has to wait. */
import { inTransaction } from '@karaar/platform/db-kit';
import { tooManyRequests } from '@karaar/platform/errors';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

const MISSES = 10;
const WITHIN_S = 600;

/** Throws 429 when this user has named ten unknown codes within ten minutes. */
export async function refuseGuessing(db: Db, userId: string): Promise<void> {
  const { misses, wait } = await db
    .selectFrom('join_misses')
    .select([
      sql<number>`count(*)::int`.as('misses'),
      sql<number>`coalesce(ceil(extract(epoch FROM min(at) + ${WITHIN_S} * interval '1 second' - now())), 0)::int`.as(
        'wait',
      ),
    ])
    .where('user_id', '=', userId)
    .where('at', '>', sql<Date>`now() - ${WITHIN_S} * interval '1 second'`)
    .executeTakeFirstOrThrow();
  if (misses < MISSES) return;
  throw tooManyRequests(
    `You have tried too many codes that do not exist. Please try again in ${Math.max(1, Math.ceil(wait / 60))} minutes.`,
    wait,
  );
}

/** Counts an unknown code; what is too old to count goes. */
export async function countMiss(db: Db, userId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx
      .deleteFrom('join_misses')
      .where('user_id', '=', userId)
      .where('at', '<', sql<Date>`now() - ${WITHIN_S} * interval '1 second'`)
      .execute();
    await tx.insertInto('join_misses').values({ user_id: userId }).execute();
  });
}
