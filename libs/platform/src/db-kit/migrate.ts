/** Migrations: applied at start by whichever process comes first, while the others wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { offerUpkeep } from '../partitions/by-the-owner.ts';
import { grantRuntimeRole, holdRuntimeRole, type KeptTables } from './rights.ts';

/** Name → migration, applied in the order of the names (`20261120T1200Z-init`). */
export type Migrations = Record<string, Migration>;

/** One lock for all migrations of a database; the number only has to be ours. */
const LOCK = 7_236_118_041;

/**
 * Applies every migration that the database does not have yet, all in one transaction, and returns
 * their names; then gives the service's role its rights (`grantRuntimeRole`), where `keptTables` says which. To be run by
 * the owner of the tables. Processes that start together take turns by a session advisory lock on one connection;
 * it is polled rather than waited for, so that a waiter holds no snapshot that a concurrent index
 * build would wait for in turn.
 *
 * @throws the error of the migration that failed; nothing is applied then.
 */
export async function migrateToLatest<DB>(
  db: Kysely<DB>,
  migrations: Migrations,
  options: { lockTimeoutMs?: number; keptTables?: KeptTables } = {},
): Promise<string[]> {
  const { keptTables } = options;
  const deadline = Date.now() + (options.lockTimeoutMs ?? 120_000);
  return await db.connection().execute(async (connection) => {
    while (!(await tryLock(connection))) {
      if (Date.now() > deadline) throw new Error('Another process has held the migration lock for too long');
      await sleep(100);
    }
    try {
      if (keptTables && (await pending(connection, migrations)).length > 0) await holdRuntimeRole(connection);
      const applied = await apply(connection, migrations);
      await offerUpkeep(connection);
      if (keptTables) await grantRuntimeRole(connection, keptTables);
      return applied;
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
  // Null while there is no such table, false until the rights are given.
  const { rows: tables } = await sql<{ mine: boolean | null }>`
    select has_table_privilege(to_regclass('kysely_migration'), 'select') as mine`.execute(db);
  if (tables[0]?.mine !== true) return Object.keys(migrations);
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
