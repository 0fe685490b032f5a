import { brokerRpc } from '@karaar/contracts/broker/rpc';
import { UsageError, withBroker, type Command } from '@karaar/bus/commands';
import { commands as accounts } from '@karaar/service-auth/ops';
import { sql } from 'kysely';
import { databaseOf, databasesOf, withDatabase, type ServiceDatabase } from './databases.ts';

/**
 * `karaar recover`: after a point-in-time recovery of the databases, empties the broker's streams, which the
 * services refill from their outboxes, and revokes every token. Changes nothing while a service is connected
 * to its database. Can be repeated.
 */
export const recover: Command['run'] = async (_args, env) => {
  const databases = databasesOf(env);
  const running = await runningServices(databases);
  if (running.length > 0)
    throw new UsageError(
      `Stop the services first. Still connected: ${running.join(', ')}. Nothing was changed.`,
    );
  const { streams, events } = await withBroker(env, (bus) => bus.request(brokerRpc.emptyStreams, {}));
  const { url } = databaseOf(env, 'auth');
  const ofAuth = { ...env, DATABASE_URL: url, MIGRATION_DATABASE_URL: url };
  return [
    `${streams} streams are empty (${events} events were in them); the services fill them again from their databases.`,
    // Redis may still have sessions that auth lost, so all earlier tokens are revoked.
    await accounts['rotate-keys'].run(['--revoke-old'], ofAuth),
    'If the log has a witness, it may know more than the recovered log: see "Recovered to an earlier time" in docs/operations.md.',
  ].join('\n');
};

/** Returns the services that are connected to their database, by role or application name. */
async function runningServices(databases: readonly ServiceDatabase[]): Promise<string[]> {
  const running: string[] = [];
  for (const database of databases) {
    const { service } = database;
    const { rows } = await withDatabase(database, (db) =>
      sql`select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and (usename = ${`karaar_${service}_app`} or application_name = ${service}) limit 1`.execute(db),
    );
    if (rows.length > 0) running.push(service);
  }
  return running;
}
