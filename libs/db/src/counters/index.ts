/**
 * Counts of a table's rows by kind and by day of creation (India's calendar), updated in the transactions
 * that change the rows: always exact, and fast whatever the size of the table. A trigger inserts each
 * statement's changes as a new row, so that no two transactions wait for the same row; folding sums these
 * rows up.
 */
import { sql, type Kysely } from 'kysely';
import { inTransaction, type Db } from '../db-kit/index.ts';
import type { Logger } from '@karaar/observability/logging';
import { startWorker, type Worker } from '@karaar/base/worker';

export type Counter = { kind: string; count: number; amount: number };
export type DayCounter = Counter & { day: string };

const rowsOf = (table: string) => sql`(
  SELECT day, kind, count, amount FROM ${sql.table(`${table}_counters`)}
  UNION ALL SELECT day, kind, count, amount FROM ${sql.table(`${table}_counter_changes`)}) AS counters`;

/**
 * Returns the counts of a table: all rows by kind, and by kind and day for the last days of India's calendar
 * including today. Kinds and days without rows are omitted.
 */
export async function readCounters<DB>(
  db: Kysely<DB>,
  table: string,
  days: number,
): Promise<{ kinds: Counter[]; byDay: DayCounter[] }> {
  const sums = sql`sum(count)::int AS count, sum(amount)::bigint AS amount`;
  const { rows: kinds } = await sql<Counter>`
    SELECT kind, ${sums} FROM ${rowsOf(table)} GROUP BY kind HAVING sum(count) <> 0 ORDER BY kind`.execute(
    db,
  );
  const { rows: byDay } = await sql<DayCounter>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, kind, ${sums} FROM ${rowsOf(table)}
    WHERE day > (now() AT TIME ZONE 'Asia/Kolkata')::date - ${days}::int
    GROUP BY day, kind HAVING sum(count) <> 0 ORDER BY day, kind`.execute(db);
  return { kinds, byDay };
}

/** Sums up the changes since the last fold. One process does so at a time; the others skip it. */
export async function foldCounters<DB>(db: Db<DB>, table: string): Promise<void> {
  const kept = sql.table(`${table}_counters`);
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext(${`counters ${table}`})) AS mine`.execute(tx);
    if (!rows[0]?.mine) return;
    await sql`
      WITH gone AS (DELETE FROM ${sql.table(`${table}_counter_changes`)} RETURNING day, kind, count, amount)
      INSERT INTO ${kept} AS kept (day, kind, count, amount)
      SELECT day, kind, sum(count), sum(amount) FROM gone GROUP BY day, kind
      ON CONFLICT (day, kind) DO UPDATE
        SET count = kept.count + excluded.count, amount = kept.amount + excluded.amount`.execute(tx);
  });
}

const FOLD_EVERY_MS = 10_000;

/**
 * Folds the counters of these tables periodically, until stopped. A failure is logged and retried at the next
 * round.
 */
export function startFolding<DB>(
  { db, logger }: { db: Db<DB>; logger: Logger },
  tables: readonly string[],
): Pick<Worker, 'stop'> {
  const fold = async () => {
    for (const table of tables)
      await foldCounters(db, table).catch((err: unknown) =>
        logger.warn({ err, table }, 'counts could not be folded; it is tried again'),
      );
  };
  return startWorker({
    restMs: FOLD_EVERY_MS,
    restsFirst: true,
    turn: fold,
    onError: (err) => logger.warn({ err }, 'counts could not be folded; it is tried again'),
  });
}
