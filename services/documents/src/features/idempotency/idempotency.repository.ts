import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

export async function findAnswer(
  db: Db,
  userId: string,
  key: string,
): Promise<{ request_sha256: string; answer: unknown } | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['request_sha256', 'answer'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Stores the answer. Waits for a concurrent transaction with the same key, and fails if that one commits. */
export async function insertAnswer(
  tx: Tx<Database>,
  row: { userId: string; key: string; sha256: string; answer: unknown },
): Promise<void> {
  await tx
    .insertInto('idempotency_keys')
    .values({
      user_id: row.userId,
      key: row.key,
      request_sha256: row.sha256,
      answer: JSON.stringify(row.answer),
    })
    .execute();
}

/** Deletes keys after a week: no client repeats a request after that. */
export async function forgetOldKeys(db: Db): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute();
}
