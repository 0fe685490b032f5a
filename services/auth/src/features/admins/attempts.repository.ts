/** Failed sign-ins by name, whether an admin has that name or not. */
import type { Tx } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

/**
 * Counts an attempt as failed before the password is looked at, so that many at once are counted one after the
 * other. Answers until when the name was locked already (then nothing was counted), or undefined.
 */
export async function beginAttempt(
  tx: Tx<Database>,
  nameKey: string,
  lockMs: (failures: number) => number,
): Promise<Date | undefined> {
  await sql`
    INSERT INTO admin_attempts (name_key, failures, locked_until) VALUES (${nameKey}, 0, clock_timestamp())
    ON CONFLICT (name_key) DO NOTHING`.execute(tx);
  const attempts = await tx
    .selectFrom('admin_attempts')
    .selectAll()
    .where('name_key', '=', nameKey)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const now = Date.now();
  if (attempts.locked_until.getTime() > now) return attempts.locked_until;
  const failures = attempts.failures + 1;
  await tx
    .updateTable('admin_attempts')
    .set({ failures, locked_until: new Date(now + lockMs(failures)), updated_at: new Date(now) })
    .where('name_key', '=', nameKey)
    .execute();
  return undefined;
}

export async function forgetAttempts(db: Db, nameKey: string): Promise<void> {
  await db.deleteFrom('admin_attempts').where('name_key', '=', nameKey).execute();
}

/** A day without an attempt is forgiven. */
export async function pruneAttempts(db: Db): Promise<void> {
  await sql`DELETE FROM admin_attempts WHERE updated_at < now() - interval '1 day' AND locked_until < now()`.execute(
    db,
  );
}
