/** Orphaned blobs: deleted at once after a failed transaction, or later by the janitor. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type QueryExecutorProvider } from 'kysely';
import { isConnectionError } from '@karaar/base/errors';
import type { Logger } from '@karaar/observability/logging';
import type { BlobStore } from './store.ts';

export type NamedPaths = (paths: readonly string[]) => Promise<readonly string[]>;

export type BlobRecords = {
  db: QueryExecutorProvider;
  blobs: Pick<BlobStore, 'delete' | 'eraseOwner'>;
  named: NamedPaths;
  logger: Pick<Logger, 'warn'>;
};

/**
 * How long to wait for the end of a transaction whose client is gone; the janitor removes remaining files.
 */
const SETTLED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/**
 * Deletes files that were stored for work that failed with `error` or whose result was discarded; files that
 * a row names stay. After a lost connection the transaction may have committed, so the rows are read once
 * every transaction of that moment has ended. Undecided files stay for the janitor. Never throws, so that the
 * caller reports the first error.
 *
 * @param owner an owner of these files only; its key is erased if no row names any of them
 */
export async function takeBack(
  { db, blobs, named, logger }: BlobRecords,
  error: unknown,
  paths: readonly string[],
  owner?: string,
): Promise<void> {
  if (paths.length === 0) return;
  try {
    if (isConnectionError(error) && !(await settled(db)))
      throw new Error('A transaction of that moment is still open', { cause: error });
    const kept = new Set(await named(paths));
    const unnamed = paths.filter((path) => !kept.has(path));
    if (owner !== undefined && unnamed.length === paths.length) await blobs.eraseOwner(owner);
    else await Promise.all(unnamed.map((path) => blobs.delete(path)));
  } catch (err) {
    logger.warn({ err, paths }, 'not known yet whether stored files are needed; they stay');
  }
}

/**
 * Waits until all transactions that were open at the call have ended, because a transaction whose client is
 * gone may still commit rows. Returns false after a timeout.
 */
async function settled(db: QueryExecutorProvider): Promise<boolean> {
  // All earlier transactions have smaller ids. The upper bound of a snapshot would exclude running ones.
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
