import { UsageError, type Command } from '@karaar/bus/commands';
import { loadConfig } from '@karaar/base/config';
import { formatKey } from '@karaar/proof/log/note';
import { openLogIdentity, parseWitness, restartLog, type Database } from '@karaar/service-documents/ops';
import { Type } from 'typebox';
import { databaseOf, withDatabase } from './databases.ts';
import { optionOf } from './option.ts';

const LOG = Type.Object({
  LOG_ORIGIN: Type.String({ minLength: 1 }),
  LOG_KEY: Type.String({ minLength: 1 }),
  LOG_WITNESSES: Type.Array(Type.String({ pattern: '^\\S+ (\\S+ )?https?://\\S+$' })),
});

/**
 * `karaar restart-log`: gives the log another name if a witness has seen more than was recovered.
 * @throws RestartRefused
 */
export const restartLogCommand: Command['run'] = async (args, env) => {
  const usage = 'restart-log --origin NEW-NAME, such as agreements.example/log/2';
  const origin = optionOf(args, 'origin', usage);
  if (!/^[^\s+]+$/.test(origin)) throw new UsageError(usage);
  const { LOG_ORIGIN, LOG_KEY, LOG_WITNESSES } = loadConfig(LOG, env);
  const identity = (name: string) => openLogIdentity({ origin: name, secret: LOG_KEY, stateDir: '' });
  const to = identity(origin);
  const note = await withDatabase<Database, string>(databaseOf(env, 'documents'), (db) =>
    restartLog(db, { from: identity(LOG_ORIGIN), to, witnesses: LOG_WITNESSES.map(parseWitness) }),
  );
  return [
    note,
    `The log goes on as ${origin}. Set LOG_ORIGIN=${origin} for documents.`,
    `Give each witness's operator this note and WITNESS_LOG_KEY=${formatKey(to.key)}, for a STATE_DIR of its own.`,
  ].join('\n');
};
