/**
 * Maintains a database's partitioned tables. It runs in every process of the service; one at a time does the
 * work.
 */
import { sql, type Kysely } from 'kysely';
import { inTransaction } from '../db-kit/index.ts';
import { gaugeOnScrape } from '@karaar/observability/telemetry';
import { startWorker, type Worker } from '@karaar/base/worker';
import { partitionedTables } from './catalog.ts';
import { dropPast, ensureSpans, stateOf, type PartitionState, type Retention } from './upkeep.ts';

export type PartitionLogger = {
  info(context: object, text: string): void;
  warn(context: object, text: string): void;
};

export type PartitionOptions = {
  logger: PartitionLogger;
  retentions: readonly Retention[];
  everyMs?: number;
  lockTimeoutMs?: number;
};

const HOUR = 60 * 60 * 1_000;

/**
 * Creates partitions ahead and drops old ones, now and every hour, and exports the state of the tables as
 * metrics.
 */
export function keepPartitions<DB>(db: Kysely<DB>, options: PartitionOptions): Pick<Worker, 'stop'> {
  showStates(db);
  return startWorker({
    restMs: options.everyMs ?? HOUR,
    turn: () => lookAfter(db, options),
    // A lock timeout or an unreachable database can wait for the next round: partitions exist for months
    // ahead.
    onError: (err) => options.logger.warn({ err }, 'partitions will be looked after later'),
  });
}

async function lookAfter<DB>(
  db: Kysely<DB>,
  { logger, retentions, lockTimeoutMs }: PartitionOptions,
): Promise<void> {
  for (const { table } of await partitionedTables(db)) {
    const retention = retentions.find((one) => one.table === table);
    const done = await upkeep(db, table, { retention, lockTimeoutMs });
    if (done.made.length + done.dropped.length > 0)
      logger.info({ table, ...done }, 'partitions were changed');
  }
}

/** Maintains one table, in a transaction with a short lock timeout. */
export async function upkeep<DB>(
  db: Kysely<DB>,
  table: string,
  {
    retention,
    lockTimeoutMs = 2_000,
  }: { retention?: Retention | undefined; lockTimeoutMs?: number | undefined } = {},
): Promise<{ made: string[]; dropped: string[] }> {
  return inTransaction(db, async (tx) => {
    // All other transactions queue behind one that waits for a table's lock.
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(tx);
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('partitions'), hashtext(${table})) as mine`.execute(tx);
    if (rows[0]?.mine !== true) return { made: [], dropped: [] };
    const plan = (await partitionedTables(tx)).find((one) => one.table === table);
    if (!plan) return { made: [], dropped: [] };
    const made = await ensureSpans(tx, plan);
    return { made, dropped: retention ? await dropPast(tx, retention) : [] };
  });
}

/** Returns the state of every partitioned table. */
export async function partitionStates<DB>(db: Kysely<DB>): Promise<PartitionState[]> {
  const states: PartitionState[] = [];
  for (const plan of await partitionedTables(db)) states.push(await stateOf(db, plan));
  return states;
}

function showStates<DB>(db: Kysely<DB>): void {
  const byTable = (pick: (state: PartitionState) => number) => async () =>
    Object.fromEntries((await partitionStates(db)).map((state) => [state.table, pick(state)]));
  gaugeOnScrape(
    {
      name: 'partition_months_ahead',
      help: 'Months from now for which a table has partitions without a gap',
      label: 'table',
    },
    byTable(({ monthsAhead }) => monthsAhead),
  );
  gaugeOnScrape(
    {
      name: 'partition_misplaced_rows',
      help: 'Rows of the present in a default partition, because theirs was missing',
      label: 'table',
    },
    byTable(({ misplaced }) => misplaced),
  );
}
