/** Blobs that no row names: taken back at once where a transaction failed, or found later by the janitor. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type QueryExecutorProvider } from 'kysely';
import { isConnectionError } from '../errors/index.ts';
import type { Logger } from '../logging/index.ts';
import type { BlobStore } from './store.ts';

/** Answers those of the paths that a row names; of all tables in which a path can stand. */
export type NamedPaths = (paths: readonly string[]) => Promise<readonly string[]>;

export type BlobRecords = {
  db: QueryExecutorProvider;
  blobs: Pick<BlobStore, 'delete'>;
  named: NamedPaths;
  logger: Pick<Logger, 'warn'>;
};

/** How long the end of a transaction is waited for whose client is gone; the janitor removes what stays. */
const SETTLED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/**
 * Takes back what was stored for a transaction that failed with `error`. When the connection broke, nobody has said
 * whether the transaction is committed: then only what no row names is removed, once every transaction of that moment has
 * ended. What cannot be decided stays, for the janitor. Never throws on that account.
 *
 * @param remove how a blob is removed; deletes it when not given
 */
export async function takeBack(
  records: BlobRecords,
  error: unknown,
  paths: readonly string[],
  remove: (path: string) => Promise<void> = (path) => records.blobs.delete(path),
): Promise<void> {
  const removeAll = async (of: readonly string[]): Promise<void> => {
    await Promise.all(of.map(remove));
  };
  if (paths.length === 0) return;
  if (!isConnectionError(error)) return removeAll(paths);
  try {
    if (!(await settled(records.db)))
      throw new Error('A transaction of that moment is still open', { cause: error });
    const named = new Set(await records.named(paths));
    await removeAll(paths.filter((path) => !named.has(path)));
  } catch (err) {
    records.logger.warn({ err, paths }, 'not known yet whether stored files are needed; they stay');
  }
}

/**
 * Waits until every transaction has ended that was there when it is called: one whose client is gone may be about to
 * commit, and a look before that would not see its rows. False when that takes too long.
 */
async function settled(db: QueryExecutorProvider): Promise<boolean> {
  // An id of its own: all that were given before are smaller. A snapshot's upper bound would not tell of those under way.
  const { rows } = await sql<{ id: string }>`SELECT pg_current_xact_id()::text AS id`.execute(db);
  const mine = rows[0]?.id ?? '0';
  const until = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const look = await sql<{ ended: boolean }>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) > ${mine}::xid8 AS ended`.execute(db);
    if (look.rows[0]?.ended) return true;
    if (Date.now() > until) return false;
    await sleep(LOOK_EVERY_MS);
  }
}
