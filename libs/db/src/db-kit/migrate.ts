/** Migrations: the first process to start applies them while the others wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration as Steps } from 'kysely/migration';
import { offerUpkeep } from './partition-functions.ts';
import { isLockTimeout } from './faults.ts';
import { standingOf } from './migration-standing.ts';
import { grantRuntimeRole, holdRuntimeRole, releaseRuntimeRole, type AppendOnlyTables } from './rights.ts';

export type Migration = Steps & {
  /**
   * Runs without a transaction, for steps that must not block or wait for other transactions: CREATE INDEX
   * CONCURRENTLY, and validating constraints. A failure leaves its partial result, so it must be repeatable.
   */
  withoutTransaction?: boolean;
};

/** Name → migration, applied in the order of the names (`20261120T1200Z-init`). */
export type Migrations = Record<string, Migration>;

/** One advisory lock for all migrations of a database; the number is arbitrary. */
const LOCK = 7_236_118_041;

export type TablePatience = {
  /**
   * Lock timeout in milliseconds; while a migration waits for a table, all other transactions queue behind
   * it.
   */
  timeoutMs: number;
  tries: number;
  /** Milliseconds between two attempts, during which other transactions continue. */
  restMs: number;
};

const PATIENCE: TablePatience = { timeoutMs: 2_000, tries: 20, restMs: 3_000 };

export type MigrateOptions = {
  lockTimeoutMs?: number;
  appendOnlyTables?: AppendOnlyTables;
  patience?: TablePatience;
  logger?: { warn(context: object, text: string): void };
};

/**
 * Applies every pending migration, each in its own transaction, and returns their names; then grants the
 * service's role its rights (`grantRuntimeRole`) if `appendOnlyTables` is given. Must run as the owner of the
 * tables. Processes that start together take turns with a session advisory lock on one connection; they poll
 * it, because a blocked waiter would hold a snapshot that a concurrent index build waits for.
 *
 * A database that a later release has migrated keeps that release's rights and functions.
 *
 * @throws the error of the migration that failed; those before it stay applied.
 * @throws Error if a table was in use at every attempt, or the database is of another line of releases.
 */
export async function migrateToLatest<DB>(
  db: Kysely<DB>,
  migrations: Migrations,
  options: MigrateOptions = {},
): Promise<string[]> {
  const deadline = Date.now() + (options.lockTimeoutMs ?? 120_000);
  return await db.connection().execute(async (connection) => {
    while (!(await tryLock(connection))) {
      if (Date.now() > deadline) throw new Error('Another process has held the migration lock for too long');
      await sleep(100);
    }
    try {
      return await bringUp(connection, migrations, options);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
    }
  });
}

async function bringUp<DB>(
  connection: Kysely<DB>,
  migrations: Migrations,
  options: MigrateOptions,
): Promise<string[]> {
  const { appendOnlyTables, logger } = options;
  const { pending, later } = await standingOf(connection, migrations);
  if (later.length > 0) {
    logger?.warn({ later }, 'a later release has migrated this database, which is left as it is');
    if (appendOnlyTables) await releaseRuntimeRole(connection);
    return [];
  }
  if (appendOnlyTables && pending.length > 0) await holdRuntimeRole(connection);
  // Migrations call `make_partition`, which this creates.
  await offerUpkeep(connection);
  try {
    for (const name of pending) await apply(connection, { name, migrations, options });
  } catch (error) {
    // The earlier release still runs, and its processes read the list when they start.
    if (appendOnlyTables) await releaseRuntimeRole(connection);
    throw error;
  }
  if (appendOnlyTables) await grantRuntimeRole(connection, appendOnlyTables);
  return pending;
}

/**
 * Waits until another process (a deployment's migration job) has applied these migrations; later ones may be
 * applied as well.
 * @throws Error that names the missing migrations after `timeoutMs`, or if the database is of another line of
 * releases
 */
export async function awaitMigrations<DB>(
  db: Kysely<DB>,
  migrations: Migrations,
  options: { timeoutMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + (options.timeoutMs ?? 120_000);
  for (;;) {
    const { pending } = await standingOf(db, migrations);
    if (pending.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Migrations are missing: ${pending.join(', ')}`);
    await sleep(500);
  }
}

async function tryLock<DB>(connection: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(
    connection,
  );
  return rows[0]?.locked === true;
}

type Task = { name: string; migrations: Migrations; options: MigrateOptions };

/** Runs the next migration, and repeats it after a lock timeout, which has rolled all of it back. */
async function apply<DB>(connection: Kysely<DB>, { name, migrations, options }: Task): Promise<void> {
  const { timeoutMs, tries, restMs } = options.patience ?? PATIENCE;
  const disableTransactions = migrations[name]?.withoutTransaction === true;
  for (let attempt = 1; ; attempt += 1) {
    const error = await tryUp(connection, {
      migrations,
      disableTransactions,
      // Outside a transaction no other transaction queues behind it, and an interrupted statement would leave
      // a partial result.
      timeoutMs: disableTransactions ? 0 : timeoutMs,
    });
    if (error === undefined) return;
    if (!isLockTimeout(error)) throw error;
    if (attempt >= tries)
      throw new Error(
        `Migration ${name} needs a table that others use: ${tries} times it waited ${timeoutMs} ms for it and let the others go on. Look for long transactions in pg_stat_activity, then start the migration again`,
        { cause: error },
      );
    options.logger?.warn({ migration: name, attempt }, 'a migration waits for a table that others use');
    await sleep(restMs);
  }
}

async function tryUp<DB>(
  connection: Kysely<DB>,
  how: { migrations: Migrations; disableTransactions: boolean; timeoutMs: number },
): Promise<unknown> {
  // An index build may take long, so `statement_timeout` must not end it.
  await sql`set statement_timeout = 0`.execute(connection);
  await sql`set lock_timeout = ${sql.lit(how.timeoutMs)}`.execute(connection);
  try {
    const { migrations, disableTransactions } = how;
    const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } });
    return (await migrator.migrateUp({ disableTransactions })).error;
  } finally {
    await sql`reset lock_timeout`.execute(connection);
    await sql`reset statement_timeout`.execute(connection);
  }
}
