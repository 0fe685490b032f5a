/** Rate limits, counted in Postgres so that a restart does not reset them. */
import { tooManyRequests } from '@karaar/base/errors';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { keyed } from '../otp/otp.ts';

/**
 * Counts one use by the caller.
 * @throws 429 with Retry-After if the window is full
 */
export type Limit = (who: string) => Promise<void>;

/** @param pepper key of the HMAC that stands for `who`, so that no address is stored */
export function createLimit(
  db: Db,
  pepper: Buffer,
  rule: { name: string; max: number; windowMs: number; text: string },
): Limit {
  return async (who) => {
    const { rows } = await sql<{ wait: number }>`
      SELECT limit_take(${`${rule.name}:${keyed(pepper, who)}`}, ${rule.max},
        ${`${rule.windowMs} milliseconds`}) AS wait`.execute(db);
    const wait = rows[0]?.wait ?? Number.POSITIVE_INFINITY;
    if (wait > 0) throw tooManyRequests(rule.text, Math.ceil(wait / 1_000));
  };
}

export async function pruneLimits(db: Db): Promise<void> {
  await sql`DELETE FROM limit_counts WHERE bucket < now() - interval '1 day'`.execute(db);
}
