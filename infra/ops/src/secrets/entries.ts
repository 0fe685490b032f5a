/** The entries of the secret store that the overlays' ExternalSecrets name. */
import { passwordVariable } from '@karaar/contracts/broker/nats-conf';
import { BROKER_USERS } from '@karaar/contracts/broker/rights';
import { serviceCredentials } from '@karaar/contracts/internal';
import { PUBLISHERS, WITH_FILES } from '@karaar/contracts/names';
import { REDIS_USERS, redisPasswordVariable } from '@karaar/contracts/redis/rights';
import {
  databaseVariables,
  fileKeyVariable,
  freshKeys,
  freshPassword,
  OF_SANDBOXES,
} from '@karaar/images/fresh-keys';

export type Entries = Record<string, Record<string, string>>;

/** Secrets that a provider issues. A certificate authority may issue the seal's. */
const FROM_OUTSIDE = {
  sms: ['SMS_ACCOUNT_SID', 'SMS_AUTH_TOKEN'],
  notifications: ['SMTP_USER', 'SMTP_PASSWORD'],
  wallet: ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRETS'],
  documents: ['SEAL_P12', 'SEAL_P12_PASSWORD'],
} as const;

/** Empty if the operator has no account there. */
const OF_WHATSAPP = [
  'WHATSAPP_PHONE_NUMBER_ID',
  'WHATSAPP_ACCESS_TOKEN',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_VERIFY_TOKEN',
];

/**
 * Makes every secret that is not issued by others.
 * @param host names the log and its witness
 * @param given the issued secrets, by property, and a sealing key
 * @param use production refuses keys for development
 * @returns the entries, the missing properties as `entry/property`, and the variables for compose
 */
export function makeEntries(
  host: string,
  given: Readonly<Record<string, string | undefined>>,
  use: 'development' | 'production',
): { entries: Entries; missing: string[]; variables: Record<string, string> } {
  const made = freshKeys(host, use);
  const of = (name: string): string => {
    const value = made[name];
    if (value === undefined) throw new Error(`Nothing makes ${name}`);
    return value;
  };
  const each = <N extends string>(names: readonly N[], value: (name: N) => string) =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  const databasePasswords = PUBLISHERS.flatMap((name) => {
    const [owner, runtime] = databaseVariables(name);
    return [[`karaar_${name}`, of(owner)] as const, [`karaar_${name}_app`, of(runtime)] as const];
  });
  const entries: Entries = {
    auth: each(['AUTH_SECRET', 'TOKEN_SIGNING_KEY'], of),
    blobs: each(WITH_FILES.map(fileKeyVariable), of),
    documents: { LOG_KEY: of('LOG_KEY'), LOG_WITNESSES: `${of('LOG_WITNESS')} http://witness:8080` },
    'service-credentials': each(
      serviceCredentials.map(({ variable }) => variable),
      of,
    ),
    nats: each(BROKER_USERS, (user) => of(passwordVariable(user))),
    notifications: { NOTIFICATIONS_SECRET: of('NOTIFICATIONS_SECRET') },
    postgres: Object.fromEntries(databasePasswords),
    sms: {},
    valkey: { password: freshPassword(), ...each(REDIS_USERS, (user) => of(redisPasswordVariable(user))) },
    wallet: {},
    witness: each(['WITNESS_KEY', 'WITNESS_ML_DSA_SEED', 'WITNESS_LOG_KEY'], of),
  };
  const missing: string[] = [];
  const variables = Object.fromEntries(Object.entries(made).filter(([name]) => !OF_SANDBOXES.includes(name)));
  for (const [entry, properties] of Object.entries(FROM_OUTSIDE))
    for (const property of properties) {
      const value = given[property];
      if (value === undefined) missing.push(`${entry}/${property}`);
      else entries[entry] = { ...entries[entry], [property]: value };
      variables[property] = value ?? '';
    }
  for (const name of OF_WHATSAPP) {
    const value = given[name] ?? '';
    entries['notifications'] = { ...entries['notifications'], [name]: value };
    variables[name] = value;
  }
  variables['SMTP_HOST'] = given['SMTP_HOST'] ?? '';
  variables['MAIL_FROM'] = given['MAIL_FROM'] ?? `Karaar <no-reply@${host}>`;
  return { entries, missing, variables };
}

/** Secrets for the sandboxes. The documents service makes its own seal for development. */
export const sandboxValues = (): Record<string, string> => ({
  SMS_ACCOUNT_SID: 'ACsandbox',
  SMTP_USER: '',
  SMTP_PASSWORD: '',
  RAZORPAY_KEY_ID: 'rzp_test_karaar',
  SEAL_P12: '',
  SEAL_P12_PASSWORD: '',
  SMS_AUTH_TOKEN: freshPassword(),
  RAZORPAY_KEY_SECRET: freshPassword(),
  RAZORPAY_WEBHOOK_SECRETS: freshPassword(),
});
