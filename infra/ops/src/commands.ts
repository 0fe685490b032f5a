/** The commands for the whole installation. The auth service has those for accounts and token keys. */
import { WITH_FILES } from '@karaar/contracts/names';
import { fileKeyVariable } from '@karaar/images/fresh-keys';
import { blobConfigFromEnv, blobEnv, createBlobStore } from '@karaar/storage/blobs';
import { reopen, unpark } from '@karaar/bus';
import { UsageError, type Command, type Commands, type Env } from '@karaar/bus/commands';
import { loadConfig } from '@karaar/base/config';
import type { Db } from '@karaar/db';
import { Type } from 'typebox';
import { backUp, backupKey, restore } from './backup/backup.ts';
import { checkAll } from './check.ts';
import { databasesOf, withDatabase } from './databases.ts';
import { deadLetters } from './dead-letters.ts';
import { doctor } from './doctor/doctor.ts';
import { recover } from './recover.ts';
import { restartLogCommand } from './restart-log.ts';
import { rotateSeal } from './seal.ts';
import { makeSecrets } from './secrets/make-secrets.ts';

const check: Command['run'] = async (_args, env) => {
  const findings = await checkAll(databasesOf(env));
  const lines = findings.map(({ ok, what, text }) => `${ok ? 'ok    ' : 'FAULT '} ${what}: ${text}`);
  if (findings.some(({ ok }) => !ok)) throw new UsageError(lines.join('\n'));
  return lines.join('\n');
};

async function inAll(env: Env, work: (db: Db<unknown>) => Promise<number>): Promise<number> {
  let count = 0;
  for (const database of databasesOf(env)) count += await withDatabase(database, work);
  return count;
}

/** The relays publish these events again; consumers skip them by their inbox. */
const rebuildStreams: Command['run'] = async (_args, env) =>
  `${await inAll(env, (db) => reopen(db, '%'))} events are published again; consumers skip what they have applied.`;

const unparkAll: Command['run'] = async (_args, env) =>
  `${await inAll(env, unpark)} parked events are tried again.`;

/** Rewraps the data keys of each service whose `<SERVICE>_BLOB_KEK` is set. */
const rotateBlobKeys: Command['run'] = async (_args, env) => {
  const given = WITH_FILES.filter((service) => env[fileKeyVariable(service)] !== undefined);
  if (given.length === 0)
    throw new UsageError(
      `rotate-blob-keys, with the keys of a service: ${WITH_FILES.map(fileKeyVariable).join(', ')}`,
    );
  const lines: string[] = [];
  for (const service of given) {
    const variable = fileKeyVariable(service);
    const config = loadConfig(Type.Object(blobEnv), { ...env, BLOB_KEK: env[variable] });
    const store = createBlobStore(blobConfigFromEnv({ ...config, SERVICE_NAME: service }));
    lines.push(`${service}: ${await store.rewrap()} data keys wrapped with the first key of ${variable}`);
  }
  return `${lines.join('\n')}\nThe keys after the first can be taken out now.`;
};

export const commands: Commands = {
  'make-secrets': {
    usage: 'make every secret of an installation (--host HOST --to FOLDER)',
    run: makeSecrets,
  },
  check: { usage: 'prove ledger, payments, log and events', run: check },
  doctor: { usage: 'say what is wrong in this installation, and its remedy', run: doctor },
  'backup-key': { usage: 'make the pair of keys of backups (--to FILE)', run: backupKey },
  backup: { usage: 'save databases, encrypted, and files (--to FOLDER)', run: backUp },
  restore: { usage: 'fill an empty installation (--from FOLDER)', run: restore },
  recover: { usage: 'after point-in-time recovery: empty streams, end tokens', run: recover },
  'restart-log': { usage: 'let the log go on under another name (--origin)', run: restartLogCommand },
  'rebuild-streams': { usage: 'publish every kept event again', run: rebuildStreams },
  unpark: { usage: 'let parked events try again', run: unparkAll },
  'dead-letters': { usage: 'events that no handler could apply (list, retry, drop)', run: deadLetters },
  'rotate-seal': {
    usage: 'check another sealing key and put it in (--p12, --pkcs11, --own)',
    run: rotateSeal,
  },
  'rotate-blob-keys': {
    usage: 'wrap data keys with the first key of <SERVICE>_BLOB_KEK',
    run: rotateBlobKeys,
  },
};
