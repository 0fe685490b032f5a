/** Failed sign-ins by address and user name or admin, including names that no admin has. */
import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../../db/schema.ts';

/**
 * Counts an attempt as failed before the password is checked, so that simultaneous attempts count one after
 * the other. Returns the end of the lock if the key is locked (then nothing is counted), otherwise undefined.
 */
export async function beginAttempt(
  tx: Tx<Database>,
  key: string,
  lockMs: (failures: number) => number,
): Promise<Date | undefined> {
  // One statement finds or inserts the row and locks it, because a successful sign-in may delete it
  // meanwhile.
  const attempts = await tx
    .insertInto('admin_attempts')
    .values({ name_key: key, failures: 0, locked_until: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) =>
      conflict.column('name_key').doUpdateSet({ failures: sql<number>`admin_attempts.failures` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  const now = Date.now();
  if (attempts.locked_until.getTime() > now) return attempts.locked_until;
  const failures = attempts.failures + 1;
  await tx
    .updateTable('admin_attempts')
    .set({ failures, locked_until: new Date(now + lockMs(failures)), updated_at: new Date(now) })
    .where('name_key', '=', key)
    .execute();
  return undefined;
}

/** Uncounts one attempt that was not a failure; earlier failures stay counted. */
export async function takeBack(db: Db, key: string): Promise<void> {
  await db
    .updateTable('admin_attempts')
    .set({ failures: sql<number>`greatest(failures - 1, 0)`, locked_until: sql<Date>`clock_timestamp()` })
    .where('name_key', '=', key)
    .execute();
}

export async function forgetAttempts(db: Db, keys: readonly string[]): Promise<void> {
  await db
    .deleteFrom('admin_attempts')
    .where('name_key', 'in', [...keys])
    .execute();
}

/**
 * Deletes counts a day after the last attempt, or after three months if there are too many failures for
 * mistyping.
 */
export async function pruneAttempts(db: Db): Promise<void> {
  await sql`
    DELETE FROM admin_attempts
    WHERE locked_until < now()
      AND updated_at < now() - CASE WHEN failures < 10 THEN interval '1 day' ELSE interval '90 days' END`.execute(
    db,
  );
}
