import { setTimeout as sleep } from 'node:timers/promises';
import { KEEP_ALIVE } from '@karaar/db';
import pg from 'pg';
import type { ServiceDatabase } from '../databases.ts';
import { BackupError } from './manifest.ts';

/** More than PostgreSQL's `deadlock_timeout`, after which autovacuum gives up its table. */
const WAIT_MS = 1_500;
const ATTEMPTS = 10;
const BETWEEN_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** A connection without a limit for silence: COPY may write for longer than any statement of a service. */
export const clientOf = (application_name: string, { url: connectionString }: ServiceDatabase): pg.Client =>
  new pg.Client({ connectionString, application_name, ...KEEP_ALIVE });

/**
 * Does `work` while no service can commit an event or a transfer of the wallet: they wait.
 * @throws BackupError if a transaction holds such a table for too long
 */
export async function whileFrozen<T>(
  databases: readonly ServiceDatabase[],
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    // One lock per connection, so that PostgreSQL never ends a service's transaction to resolve a deadlock.
    const locks = databases.flatMap((database) => [
      { table: 'outbox', client: clientOf('ops-backup', database) },
      ...(database.service === 'wallet'
        ? [{ table: 'transfers', client: clientOf('ops-backup', database) }]
        : []),
    ]);
    try {
      await Promise.all(locks.map(({ client }) => client.connect()));
      await Promise.all(locks.map(({ table, client }) => client.query(lockOf(table))));
      return await work();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      if (attempt === ATTEMPTS)
        throw new BackupError('A transaction that writes events or transfers does not end. Try again later.');
    } finally {
      await Promise.allSettled(locks.map(({ client }) => client.end()));
    }
    await sleep(BETWEEN_MS);
  }
}

/** @throws BackupError if a database is on a standby, where nothing can be locked */
export async function expectPrimaries(databases: readonly ServiceDatabase[]): Promise<void> {
  for (const database of databases) {
    const client = clientOf('ops-backup', database);
    await client.connect();
    try {
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
      if (rows[0]?.standby)
        throw new BackupError(
          `The database of ${database.service} at ${client.host} is a standby, and a backup stops writes for a moment. Set ADMIN_DATABASE_URL, or ${database.service.toUpperCase()}_DATABASE_URL, to the address of the primary. Nothing was written.`,
        );
    } finally {
      await client.end();
    }
  }
}

/** Until the connection ends. A service that never ran has no tables. */
const lockOf = (table: string): string => `
  begin; set local lock_timeout = ${WAIT_MS};
  do $$ begin if to_regclass('${table}') is not null then lock table ${table} in share mode; end if; end $$`;
