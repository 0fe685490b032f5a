/** Blobs that no row names: deleted at once when a transaction failed, or found later by the janitor. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type QueryExecutorProvider } from 'kysely';
import { isConnectionError } from '../errors/index.ts';
import type { Logger } from '../logging/index.ts';
import type { BlobStore } from './store.ts';

/** Returns those of the paths that a row names, in any table that can hold a path. */
export type NamedPaths = (paths: readonly string[]) => Promise<readonly string[]>;

export type BlobRecords = {
  db: QueryExecutorProvider;
  blobs: Pick<BlobStore, 'delete'>;
  named: NamedPaths;
  logger: Pick<Logger, 'warn'>;
};

/** How long to wait for the end of a transaction whose client is gone; the janitor removes files that are left. */
const SETTLED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/**
 * Deletes files that were stored for a transaction that failed with `error`. When the connection broke, it is unknown
 * whether the transaction is committed: then only files that no row names are removed, once every transaction of that
 * moment has ended. Undecided files stay for the janitor. Never throws for this reason.
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
 * Waits until every transaction has ended that was there when it is called: a transaction whose client is gone may be
 * about to commit, and an earlier query would not see its rows. False when that takes too long.
 */
async function settled(db: QueryExecutorProvider): Promise<boolean> {
  // A new transaction id: all earlier ids are smaller. A snapshot's upper bound would not include
  // transactions under way.
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
