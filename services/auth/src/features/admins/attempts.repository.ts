/** Failed guesses by what is guessed and from where; whether an admin has the name that is guessed for or not. */
import type { Tx } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

/**
 * Counts an attempt as failed before the password is looked at, so that many at once are counted one after the
 * other. Answers until when it was locked already (then nothing was counted), or undefined.
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

/** Gives back the one attempt that turned out to be none; what was counted before it stays. */
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

/** A day without an attempt is forgiven; but who has guessed as often as nobody mistypes is remembered for a season. */
export async function pruneAttempts(db: Db): Promise<void> {
  await sql`
    DELETE FROM admin_attempts
    WHERE locked_until < now()
      AND updated_at < now() - CASE WHEN failures < 10 THEN interval '1 day' ELSE interval '90 days' END`.execute(
    db,
  );
}
