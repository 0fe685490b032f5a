/** Failed sign-ins by user name or admin, and by address; also for names that no admin has. */
import type { Tx } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Database, Db } from '../../../db/schema.ts';

/**
 * Counts an attempt as failed before the password is checked, so that simultaneous attempts are counted one after the
 * other. Returns the end of the lock if there was one (then nothing was counted), or undefined.
 */
export async function beginAttempt(
  tx: Tx<Database>,
  key: string,
  lockMs: (failures: number) => number,
): Promise<Date | undefined> {
  // One statement finds or makes the row, and locks it: a sign-in that succeeds meanwhile deletes it.
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

/** Takes back one attempt that was not a failure; earlier ones stay counted. */
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

/** Counts are forgotten after a day without an attempt, but after three months when they are too high for mistyping. */
export async function pruneAttempts(db: Db): Promise<void> {
  await sql`
    DELETE FROM admin_attempts
    WHERE locked_until < now()
      AND updated_at < now() - CASE WHEN failures < 10 THEN interval '1 day' ELSE interval '90 days' END`.execute(
    db,
  );
}
