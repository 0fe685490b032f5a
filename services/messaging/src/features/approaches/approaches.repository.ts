import { inTransaction, type Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';
import type { ApproachLimits } from './approaches.ts';

export type Approach = { userId: string; otherId: string };

/**
 * Records approaches of different users within the limits. An approach does not count if it was answered, if
 * the two share a document by now, or if it is recorded already. A lock per sender keeps simultaneous
 * requests within the limit.
 * @returns for each the milliseconds to wait; 0 if it is recorded
 */
export async function noteApproaches(
  db: Db,
  limits: ApproachLimits,
  approaches: readonly Approach[],
): Promise<number[]> {
  const users = approaches.map(({ userId }) => userId);
  const others = approaches.map(({ otherId }) => otherId);
  return inTransaction(db, async (tx) => {
    await sql`
      SELECT pg_advisory_xact_lock(hashtextextended('approaches ' || id, 0))
      FROM (SELECT id FROM unnest(${users}::text[]) AS one (id) ORDER BY id) AS ordered`.execute(tx);
    // This must be a separate statement: only then does it see the rows of the previous holder of the lock.
    const { rows } = await sql<{ nth: number; wait: number }>`
      WITH asked AS (
        SELECT * FROM unnest(${users}::uuid[], ${others}::uuid[]) WITH ORDINALITY AS a (user_id, other_id, nth)
      ), unanswered AS (
        SELECT a.user_id, count(*) FILTER (WHERE a.at > now() - interval '1 hour') AS in_hour, count(*) AS in_day,
          min(a.at) FILTER (WHERE a.at > now() - interval '1 hour') AS oldest_in_hour, min(a.at) AS oldest_in_day
        FROM approaches a
        WHERE a.user_id = ANY(${users}::uuid[]) AND a.at > now() - interval '1 day' AND NOT EXISTS (
          SELECT FROM threads t WHERE t.user_id = a.other_id AND t.other_id = a.user_id
            AND (t.written OR t.shared_documents > 0))
        GROUP BY a.user_id
      ), judged AS (
        SELECT asked.*, CASE
          WHEN EXISTS (SELECT FROM approaches k WHERE k.user_id = asked.user_id AND k.other_id = asked.other_id) THEN 0
          ELSE GREATEST(0,
            CASE WHEN in_hour >= ${limits.perHour}::int
              THEN extract(epoch FROM oldest_in_hour + interval '1 hour' - now()) * 1000 ELSE 0 END,
            CASE WHEN in_day >= ${limits.perDay}::int
              THEN extract(epoch FROM oldest_in_day + interval '1 day' - now()) * 1000 ELSE 0 END)
          END AS wait
        FROM asked LEFT JOIN unanswered USING (user_id)
      ), noted AS (
        INSERT INTO approaches (user_id, other_id) SELECT user_id, other_id FROM judged WHERE wait = 0
        ON CONFLICT DO NOTHING
      )
      SELECT nth, ceil(wait)::int AS wait FROM judged ORDER BY nth`.execute(tx);
    await sql`
      DELETE FROM approaches WHERE user_id = ANY(${users}::uuid[]) AND at < now() - interval '1 day'`.execute(
      tx,
    );
    return rows.map(({ wait }) => wait);
  });
}

export async function forgetApproaches(tx: Tx<Database>, userId: string): Promise<void> {
  await sql`DELETE FROM approaches WHERE user_id = ${userId} OR other_id = ${userId}`.execute(tx);
}
