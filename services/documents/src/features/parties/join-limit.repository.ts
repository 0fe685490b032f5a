/** Prevents guessing of codes (design §3 Parties): a user who tries too many unknown codes has to wait. */
import { inTransaction, type Tx, lockName } from '@karaar/db';
import { tooManyRequests } from '@karaar/base/errors';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

const MISSES = 10;
const WITHIN_S = 600;

/**
 * Looks a code up, and counts it if it is unknown. Throws 429 after ten unknown codes within ten minutes. A
 * lock per user serializes concurrent look-ups, so that each is counted.
 */
export async function lookUpCounted<T>(
  db: Db,
  userId: string,
  lookUp: (tx: Tx<Database>) => Promise<T | undefined>,
): Promise<T | undefined> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, `join_misses:${userId}`);
    await refuseGuessing(tx, userId);
    const found = await lookUp(tx);
    if (found === undefined) await countMiss(tx, userId);
    return found;
  });
}

async function refuseGuessing(tx: Tx<Database>, userId: string): Promise<void> {
  const { misses, wait } = await tx
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

async function countMiss(tx: Tx<Database>, userId: string): Promise<void> {
  await tx
    .deleteFrom('join_misses')
    .where('user_id', '=', userId)
    .where('at', '<', sql<Date>`now() - ${WITHIN_S} * interval '1 second'`)
    .execute();
  await tx.insertInto('join_misses').values({ user_id: userId }).execute();
}
