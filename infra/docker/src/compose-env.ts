/** `npm run compose:env`: writes infra/docker/.env with keys of its own; what is there stays, what is missing is added. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { passwordVariable } from '@karaar/contracts/broker/nats-conf';
import { BROKER_USERS } from '@karaar/contracts/broker/rights';
import { edges } from '@karaar/contracts/internal';
import { REDIS_USERS, redisPasswordVariable } from '@karaar/contracts/redis/rights';
import { noteKeyOf } from '@karaar/dev/note-keys';

const LOG = 'karaar.localhost/log';
const WITNESS = 'karaar.localhost/witness';

/** Services with a database, and those that keep files. */
export const DATABASES = ['auth', 'documents', 'payments', 'wallet', 'messaging', 'cms'];
export const WITH_FILES = ['auth', 'documents', 'messaging'];

/** The variable of the keys of a service's files. */
export const fileKeyVariable = (service: string): string => `${service.toUpperCase()}_BLOB_KEK`;
/** The variables of the passwords of a database's owner and of the role as which its service works. */
export const databaseVariables = (service: string): [owner: string, runtime: string] => [
  `${service.toUpperCase()}_OWNER_PASSWORD`,
  `${service.toUpperCase()}_DATABASE_PASSWORD`,
];

const random = (): string => randomBytes(32).toString('base64');
const ed25519 = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

/** They stand in URLs and in configuration files, so without signs that mean something there. */
const passwords = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, randomBytes(18).toString('hex')]));

/** Everything that compose.yaml asks for, freshly made. */
export function composeEnv(): Record<string, string> {
  const logKey = ed25519();
  const witnessKey = ed25519();
  return {
    POSTGRES_PASSWORD: randomBytes(18).toString('hex'),
    ...passwords(DATABASES.flatMap(databaseVariables)),
    ...passwords(BROKER_USERS.map(passwordVariable)),
    ...passwords(REDIS_USERS.map(redisPasswordVariable)),
    ...Object.fromEntries(WITH_FILES.map((name) => [fileKeyVariable(name), `dev-${name}:${random()}`])),
    AUTH_SECRET: random(),
    TOKEN_SIGNING_KEY: ed25519(),
    SMS_AUTH_TOKEN: randomBytes(18).toString('hex'),
    RAZORPAY_KEY_SECRET: randomBytes(18).toString('hex'),
    RAZORPAY_WEBHOOK_SECRET: randomBytes(18).toString('hex'),
    LOG_KEY: logKey,
    WITNESS_KEY: witnessKey,
    WITNESS_LOG_KEY: noteKeyOf('log', LOG, logKey),
    LOG_WITNESS: noteKeyOf('cosignature', WITNESS, witnessKey),
    ...Object.fromEntries(
      edges.map(({ variable }) => [variable, `dev-${randomBytes(32).toString('base64url')}`]),
    ),
  };
}

/** Adds to a file what compose.yaml asks for and it does not name. @returns the names added */
export function addMissing(file: string): string[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const named = new Set([...text.matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name]) => name));
  const missing = Object.entries(composeEnv()).filter(([name]) => !named.has(name));
  const lines = missing.map(([name, value]) => `${name}='${value}'\n`);
  if (lines.length > 0) appendFileSync(file, lines.join(''), { mode: 0o600 });
  return missing.map(([name]) => name);
}

const target = fileURLToPath(new URL('../.env', import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const added = addMissing(target);
  process.stdout.write(
    added.length === 0
      ? `${target} has all that is asked for; it stays as it is.\n`
      : `Wrote ${added.join(', ')} to ${target}\n`,
  );
}
