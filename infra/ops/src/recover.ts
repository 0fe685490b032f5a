/** `karaar recover`: removes from the broker and the tokens what belongs to the lost time, after the databases were recovered to an earlier one. */
import { brokerRpc } from '@karaar/contracts/broker/rpc';
import { connectBus } from '@karaar/platform/bus';
import { loadConfig } from '@karaar/platform/config';
import type { Db } from '@karaar/platform/db-kit';
import { createLogger } from '@karaar/platform/logging';
import { COMMANDS as accounts, UsageError, type Command } from '@karaar/service-auth/cli/commands';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { databaseOf, databasesOf, withDatabase, type ServiceDatabase } from './databases.ts';

const BROKER = Type.Object({ NATS_URL: Type.String({ minLength: 1 }) });

/**
 * Empties the broker's streams, which the services then fill again from their outboxes, and ends every token. Changes
 * nothing while a service is connected to its database. May be run again.
 */
export const recover: Command['run'] = async (_args, env) => {
  const { NATS_URL } = loadConfig(BROKER, env);
  const databases = databasesOf(env);
  const running = await runningServices(databases);
  if (running.length > 0)
    throw new UsageError(
      `Stop the services first. Still connected: ${running.join(', ')}. Nothing was changed.`,
    );
  const { streams, events } = await emptyStreams(NATS_URL);
  return [
    `${streams} streams are empty (${events} events were in them); the services fill them again from their databases.`,
    await endTokens(env),
    'If the log has a witness, it may know more than the recovered log: see "Recovered to an earlier time" in docs/operations.md.',
  ].join('\n');
};

/** Names of the services that hold a connection to their database, under their role or their name. */
async function runningServices(databases: readonly ServiceDatabase[]): Promise<string[]> {
  const running: string[] = [];
  for (const database of databases) {
    const { service } = database;
    const { rows } = await withDatabase(database, (db: Db<unknown>) =>
      sql`select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and (usename = ${`karaar_${service}_app`} or application_name = ${service}) limit 1`.execute(db),
    );
    if (rows.length > 0) running.push(service);
  }
  return running;
}

/** Asks the broker admin, which alone may change streams. Throws AppError 503 when the broker admin does not answer. */
async function emptyStreams(url: string): Promise<{ streams: number; events: number }> {
  const logger = createLogger({ name: 'ops', level: 'silent' });
  const bus = await connectBus({ url, name: 'ops', logger });
  try {
    return await bus.request(brokerRpc.emptyStreams, {});
  } finally {
    await bus.close();
  }
}

/** Redis still calls sessions open that auth lost with the recovery, so every token from before is refused. */
async function endTokens(env: Parameters<Command['run']>[1]): Promise<string> {
  const { url } = databaseOf(env, 'auth');
  const rotate = accounts.get('rotate-keys');
  if (!rotate) throw new Error('the auth service has no command rotate-keys');
  return rotate.run(['--revoke-old'], { ...env, DATABASE_URL: url, MIGRATION_DATABASE_URL: url });
}
