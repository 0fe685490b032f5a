/** Migrations: applied at start by whichever process comes first, while the others wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration as Steps } from 'kysely/migration';
import { offerUpkeep } from './partition-functions.ts';
import { isLockTimeout } from './faults.ts';
import { standingOf } from './migration-standing.ts';
import { grantRuntimeRole, holdRuntimeRole, releaseRuntimeRole, type AppendOnlyTables } from './rights.ts';

export type Migration = Steps & {
  /**
   * Runs without a transaction around it, for steps that neither wait for other transactions nor block them: indexes
   * made CONCURRENTLY, and validating constraints. What it has done stays when it fails, so that it has to bear being
   * run again.
   */
  withoutTransaction?: boolean;
};

/** Name → migration, applied in the order of the names (`20261120T1200Z-init`). */
export type Migrations = Record<string, Migration>;

/** One advisory lock for all migrations of a database; the number is arbitrary. */
const LOCK = 7_236_118_041;

/** How a migration waits for a table that others use. */
export type TablePatience = {
  /** Milliseconds; while a migration waits for a table, all other transactions wait behind it. */
  timeoutMs: number;
  /** How often it is tried. */
  tries: number;
  /** Milliseconds between two attempts, during which other transactions continue. */
  restMs: number;
};

const PATIENCE: TablePatience = { timeoutMs: 2_000, tries: 20, restMs: 3_000 };

export type MigrateOptions = {
  /** Milliseconds to wait for another process that migrates. */
  lockTimeoutMs?: number;
  appendOnlyTables?: AppendOnlyTables;
  patience?: TablePatience;
  logger?: { warn(context: object, text: string): void };
};

/**
 * Applies every migration that the database does not have yet, each in a transaction of its own, and returns
 * their names; then gives the service's role its rights (`grantRuntimeRole`), where `appendOnlyTables` says which. To be run by
 * the owner of the tables. Processes that start together take turns by a session advisory lock on one connection;
 * it is polled rather than waited for, so that a waiter holds no snapshot that a concurrent index
 * build would wait for in turn.
 *
 * A database that a later release has migrated is left as it is: its rights and functions are that release's.
 *
 * @throws the error of the migration that failed; those before it stay applied.
 * @throws Error when a table was in use at every try, or the database is of another line of releases.
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
 * Waits until another process (a deployment's migration job) has applied these migrations. Those of a later release may
 * be there as well.
 * @throws Error that names what is still missing after `timeoutMs`, or when the database is of another line of releases
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
      // Without a transaction no other transaction waits behind it, and a statement that was stopped halfway
      // would leave remains.
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
