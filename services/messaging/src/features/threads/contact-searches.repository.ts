/** Limits searches by a whole contact, so that contacts cannot be guessed (design §3 Who sees what). */
import { inTransaction, type Tx, lockName } from '@karaar/db';
import { tooManyRequests } from '@karaar/base/errors';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

/** Counts a search. Throws 429 if the user has made `perHour` searches within the hour. */
export async function countContactSearch(db: Db, userId: string, perHour: number): Promise<void> {
  const wait = await inTransaction(db, async (tx) => {
    await lockName(tx, `contact searches ${userId}`);
    await sql`DELETE FROM contact_searches WHERE user_id = ${userId} AND at < clock_timestamp() - interval '1 hour'`.execute(
      tx,
    );
    const { rows } = await sql<{ made: number; wait: number }>`
      SELECT count(*)::int AS made,
        coalesce(ceil(extract(epoch FROM min(at) + interval '1 hour' - clock_timestamp())), 0)::int AS wait
      FROM contact_searches WHERE user_id = ${userId}`.execute(tx);
    if ((rows[0]?.made ?? 0) >= perHour) return Math.max(1, rows[0]?.wait ?? 1);
    await tx.insertInto('contact_searches').values({ user_id: userId }).execute();
    return 0;
  });
  if (wait > 0)
    throw tooManyRequests(
      'Too many searches by phone or e-mail. Please try again later, or search by name or ID.',
      wait,
    );
}

export async function forgetContactSearches(tx: Tx<Database>, userId: string): Promise<void> {
  await tx.deleteFrom('contact_searches').where('user_id', '=', userId).execute();
}
