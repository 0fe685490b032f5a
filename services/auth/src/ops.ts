/** What the operator's tool takes of this service: its tables, and its commands. */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { authEvents } from '@karaar/contracts/auth/events';
import { createOutbox } from '@karaar/bus';
import { UsageError, withBroker, type Commands, type Env } from '@karaar/bus/commands';
import { backingEnv, loadConfig } from '@karaar/base/config';
import { awaitMigrations, createDb, inTransaction } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import { Type } from 'typebox';
import { runMigrations } from '@karaar/service';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import { ADMIN_ROLES } from '@karaar/contracts/kit';
import type { Database, Db } from './db/schema.ts';
import { pageOfUsers } from './features/accounts/accounts.repository.ts';
import { createSecretBox } from './secret-box.ts';
import { createAdmin, MIN_PASSWORD } from './features/admins/first-admin.ts';
import { rebuildSharedDocuments } from './features/directory/directory.service.ts';
import { forgetPasskeys } from './features/admins/passkeys/passkeys.repository.ts';
import { createTokenKeys } from './features/sessions/token-keys.ts';
import { secretsOf } from './secrets.ts';

export { appendOnlyTables, migrations };

const logger = createLogger({ name: 'auth', level: 'warn' });

async function withDb<T>(env: Env, use: (db: Db) => Promise<T>): Promise<T> {
  // With the owner's address too, the command may begin with an empty database.
  if (env['MIGRATION_DATABASE_URL'] !== undefined)
    await runMigrations(
      { migrations, appendOnlyTables },
      { ...env, SERVICE_NAME: 'auth', LOG_LEVEL: 'warn' },
    );
  const config = loadConfig(Type.Object({ DATABASE_URL: backingEnv.DATABASE_URL }), env);
  const db = createDb<Database>({ url: config.DATABASE_URL, max: 2, applicationName: 'auth-cli' });
  try {
    await awaitMigrations(db, migrations, { timeoutMs: 0 });
    return await use(db);
  } finally {
    await db.destroy();
  }
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}

/**
 * The password comes from the environment or standard input: all users of the machine can see a command line, and in
 * a cluster all who can read the log of its API.
 */
async function makeAdmin(args: string[], env: Env): Promise<string> {
  const { values } = parseArgs({
    args,
    options: {
      username: { type: 'string' },
      role: { type: 'string' },
      'password-stdin': { type: 'boolean' },
    },
  });
  const role = ADMIN_ROLES.find((known) => known === (values.role ?? 'super-admin'));
  const username = values.username?.trim();
  if (!username || !role)
    throw new UsageError(
      `create-admin --username NAME [--role ${ADMIN_ROLES.join('|')}], with ADMIN_PASSWORD set or --password-stdin`,
    );
  const password = values['password-stdin'] ? await firstLine(process.stdin) : (env['ADMIN_PASSWORD'] ?? '');
  if (password.length < MIN_PASSWORD)
    throw new UsageError(`The password (ADMIN_PASSWORD) must have at least ${MIN_PASSWORD} characters.`);
  return withDb(env, async (db) => {
    if (!(await createAdmin({ db }, { username, password, role })))
      throw new UsageError(`There is an admin ${username} already.`);
    return `The admin ${username} (${role}) can sign in at /admin/login.`;
  });
}

/** For an admin who has lost every passkey and every recovery code: the next sign-in adds a new one. */
async function forgetLostPasskeys(args: string[], env: Env): Promise<string> {
  const { values } = parseArgs({ args, options: { username: { type: 'string' } } });
  const username = values.username?.trim();
  if (!username) throw new UsageError('forget-passkeys --username NAME');
  return withDb(env, async (db) => {
    const count = await forgetPasskeys(db, username);
    if (count === 0) throw new UsageError(`There is no admin ${username} with a passkey.`);
    return `${count} passkeys of ${username} are forgotten. Open sessions stay until they end.`;
  });
}

async function rotateKeys(args: string[], env: Env): Promise<string> {
  const { values } = parseArgs({ args, options: { 'revoke-old': { type: 'boolean', default: false } } });
  const config = loadConfig(Type.Object({ AUTH_SECRET: Type.String({ minLength: 43 }) }), env);
  return withDb(env, async (db) => {
    const keys = await createTokenKeys(db, createSecretBox(secretsOf(config).signingKeyKey));
    const kid = await keys.rotate({ revokeOld: values['revoke-old'] });
    return values['revoke-old']
      ? `${kid} signs now. Every earlier token ends within half a minute: everybody signs in again.`
      : `${kid} signs within ten seconds. Tokens of the key before stay good until they expire.`;
  });
}

const rebuildContacts = (_args: string[], env: Env): Promise<string> =>
  withDb(env, (db) =>
    withBroker(env, async (bus) => `Read ${await rebuildSharedDocuments({ db, bus })} documents anew.`),
  );

/** Publishes every user again; directories ignore versions that they have and add users that they lack. */
const republishUsers = (_args: string[], env: Env): Promise<string> =>
  withDb(env, (db) =>
    withBroker(env, async (bus) => {
      const outbox = createOutbox(db, bus, { logger });
      let count = 0;
      for (let cursor: string | undefined; ;) {
        const users = await pageOfUsers(db, cursor);
        await inTransaction(db, async (tx) => {
          for (const user of users) {
            await outbox.add(tx, authEvents.userUpdated, {
              aggregateId: user.id,
              aggregateVersion: user.version,
              data: { user_id: user.id },
            });
          }
        });
        count += users.length;
        cursor = users.at(-1)?.id;
        if (cursor === undefined) return `Told of ${count} users; the auth service sends it out.`;
      }
    }),
  );

export const commands = {
  'create-admin': { usage: 'make an admin (ADMIN_PASSWORD, --username, --role)', run: makeAdmin },
  'forget-passkeys': {
    usage: 'let an admin who lost all passkeys add one (--username)',
    run: forgetLostPasskeys,
  },
  'rotate-keys': { usage: 'sign tokens with a new key (--revoke-old ends all sessions)', run: rotateKeys },
  'rebuild-contacts': { usage: 'read anew who shares a document with whom', run: rebuildContacts },
  'republish-users': { usage: 'fill the other services’ directories again', run: republishUsers },
} as const satisfies Commands;
