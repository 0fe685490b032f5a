/** Migrations: applied at start by whichever process comes first, while the others wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/** Name → migration, applied in the order of the names (`20261120T1200Z-init`). */
export type Migrations = Record<string, Migration>;

/** One lock for all migrations of a database; the number only has to be ours. */
const LOCK = 7_236_118_041;

/**
 * Applies every migration that the database does not have yet, all in one transaction, and returns
 * their names. Processes that start together take turns by a session advisory lock on one connection;
 * it is polled rather than waited for, so that a waiter holds no snapshot that a concurrent index
 * build would wait for in turn.
 *
 * @throws the error of the migration that failed; nothing is applied then.
 */
export async function migrateToLatest<DB>(
  db: Kysely<DB>,
  migrations: Migrations,
  options: { lockTimeoutMs?: number } = {},
): Promise<string[]> {
  const deadline = Date.now() + (options.lockTimeoutMs ?? 120_000);
  return await db.connection().execute(async (connection) => {
    while (!(await tryLock(connection))) {
      if (Date.now() > deadline) throw new Error('Another process has held the migration lock for too long');
      await sleep(100);
    }
    try {
      return await apply(connection, migrations);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
    }
  });
}

/**
 * Waits until another process (a deployment's migration job) has applied these migrations.
 * @throws Error that names what is still missing after `timeoutMs`
 */
export async function awaitMigrations<DB>(
  db: Kysely<DB>,
  migrations: Migrations,
  options: { timeoutMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + (options.timeoutMs ?? 120_000);
  for (;;) {
    const missing = await pending(db, migrations);
    if (missing.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Migrations are missing: ${missing.join(', ')}`);
    await sleep(500);
  }
}

async function pending<DB>(db: Kysely<DB>, migrations: Migrations): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db);
  if (tables[0]?.there !== true) return Object.keys(migrations);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return Object.keys(migrations).filter((name) => !applied.has(name));
}

async function tryLock<DB>(connection: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(
    connection,
  );
  return rows[0]?.locked === true;
}

async function apply<DB>(connection: Kysely<DB>, migrations: Migrations): Promise<string[]> {
  // A long index build is no runaway statement.
  await sql`set statement_timeout = 0`.execute(connection);
  try {
    const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await sql`reset statement_timeout`.execute(connection);
  }
}
