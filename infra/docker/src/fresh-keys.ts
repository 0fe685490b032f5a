import { randomBytes } from 'node:crypto';
import { passwordVariable } from '@karaar/contracts/broker/nats-conf';
import { BROKER_USERS } from '@karaar/contracts/broker/rights';
import { serviceCredentials } from '@karaar/contracts/internal';
import { PUBLISHERS, WITH_FILES } from '@karaar/contracts/names';
import { REDIS_USERS, redisPasswordVariable } from '@karaar/contracts/redis/rights';
import { ed25519Key, mlDsaKeyOf, noteKeyOf, randomKey } from '@karaar/dev/keys';

/** Returns the variable with the file keys of a service. */
export const fileKeyVariable = (service: string): string => `${service.toUpperCase()}_BLOB_KEK`;
/** Returns the variables with the passwords of a database's owner and of the role that its service uses. */
export const databaseVariables = (service: string): [owner: string, runtime: string] => [
  `${service.toUpperCase()}_OWNER_PASSWORD`,
  `${service.toUpperCase()}_DATABASE_PASSWORD`,
];

/** Returns a hexadecimal password, which needs no quoting in URLs and configuration files. */
export const freshPassword = (): string => randomBytes(18).toString('hex');
const passwords = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, freshPassword()]));

/** Secrets of the sandboxes; real providers issue their own. */
export const OF_SANDBOXES = [
  'SMS_AUTH_TOKEN',
  'WHATSAPP_APP_SECRET',
  'RAZORPAY_KEY_SECRET',
  'RAZORPAY_WEBHOOK_SECRET',
];

/** Returns a witness's keys, and its public keys for the log. @param suffix end of the variables' names */
function witnessKeys(name: string, suffix: string): Record<string, string> {
  const [key, seed] = [ed25519Key(), randomKey()];
  return {
    [`WITNESS${suffix}_KEY`]: key,
    [`WITNESS${suffix}_ML_DSA_SEED`]: seed,
    [`LOG_WITNESS${suffix}`]: `${noteKeyOf('cosignature', name, key)} ${mlDsaKeyOf(name, seed)}`,
  };
}

/** Makes every secret of compose.yaml, by its variable. Production refuses keys for development. */
export function freshKeys(
  host = 'karaar.localhost',
  use: 'development' | 'production' = 'development',
): Record<string, string> {
  const mark = use === 'development' ? 'dev-' : '';
  const logKey = ed25519Key();
  return {
    ...passwords([
      'POSTGRES_PASSWORD',
      ...PUBLISHERS.flatMap(databaseVariables),
      ...BROKER_USERS.map(passwordVariable),
      ...REDIS_USERS.map(redisPasswordVariable),
      ...OF_SANDBOXES,
    ]),
    ...Object.fromEntries(WITH_FILES.map((name) => [fileKeyVariable(name), `${mark}${name}:${randomKey()}`])),
    AUTH_SECRET: randomKey(),
    NOTIFICATIONS_SECRET: randomKey(),
    TOKEN_SIGNING_KEY: ed25519Key(),
    LOG_KEY: logKey,
    WITNESS_LOG_KEY: noteKeyOf('log', `${host}/log`, logKey),
    ...witnessKeys(`${host}/witness`, ''),
    ...witnessKeys(`${host}/witness-2`, '_2'),
    ...witnessKeys(`${host}/witness-3`, '_3'),
    ...Object.fromEntries(
      serviceCredentials.map(({ variable }) => [variable, `${mark}${randomBytes(32).toString('hex')}`]),
    ),
  };
}
