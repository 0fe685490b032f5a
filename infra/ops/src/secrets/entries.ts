/** The entries of an installation's secret store, as the overlays' ExternalSecrets name them. */
import { randomBytes } from 'node:crypto';
import { BROKER_USERS } from '@karaar/contracts/broker/rights';
import { edges } from '@karaar/contracts/internal';
import { REDIS_USERS } from '@karaar/contracts/redis/rights';
import { DATABASES, fileKeyVariable, freshKeys, WITH_FILES } from '@karaar/images/fresh-keys';

/** Properties by entry. */
export type Entries = Record<string, Record<string, string>>;

/** What no tool can make: it comes from a provider, or from the authority that certifies the seal. */
export const FROM_OUTSIDE = {
  sms: ['SMS_ACCOUNT_SID', 'SMS_AUTH_TOKEN'],
  wallet: ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRETS'],
  documents: ['SEAL_P12', 'SEAL_P12_PASSWORD'],
} as const;

/** For the sandboxes of the providers; the service makes a seal of its own for development. */
export const SANDBOX: Readonly<Record<string, string>> = {
  SMS_ACCOUNT_SID: 'ACsandbox',
  RAZORPAY_KEY_ID: 'rzp_test_karaar',
  SEAL_P12: '',
  SEAL_P12_PASSWORD: '',
};

/** Hexadecimal: a URL and a configuration file take such a password without quoting. */
const password = (): string => randomBytes(18).toString('hex');

/**
 * Every entry, freshly made, but for what comes from outside.
 *
 * @param host of the installation; the log and its witness are named after it
 * @param given what comes from outside, by its property
 * @returns the entries, and as `entry/property` what is missing in them
 */
export function makeEntries(
  host: string,
  given: Readonly<Record<string, string | undefined>>,
): { entries: Entries; missing: string[] } {
  const made = freshKeys(host);
  const of = (name: string): string => {
    const value = made[name];
    if (value === undefined) throw new Error(`Nothing makes ${name}`);
    return value;
  };
  const each = (names: readonly string[], value: (name: string) => string) =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  const entries: Entries = {
    auth: each(['AUTH_SECRET', 'TOKEN_SIGNING_KEY'], of),
    blobs: each(WITH_FILES.map(fileKeyVariable), of),
    documents: { LOG_KEY: of('LOG_KEY'), LOG_WITNESSES: `${of('LOG_WITNESS')} http://witness:8080` },
    edges: each(
      edges.map(({ variable }) => variable),
      of,
    ),
    nats: each(BROKER_USERS, password),
    postgres: each(
      DATABASES.flatMap((name) => [`karaar_${name}`, `karaar_${name}_app`]),
      password,
    ),
    sms: {},
    valkey: each(['password', ...REDIS_USERS], password),
    wallet: {},
    witness: each(['WITNESS_KEY', 'WITNESS_LOG_KEY'], of),
  };
  const missing: string[] = [];
  for (const [entry, properties] of Object.entries(FROM_OUTSIDE))
    for (const property of properties) {
      const value = given[property];
      if (value === undefined) missing.push(`${entry}/${property}`);
      else entries[entry] = { ...entries[entry], [property]: value };
    }
  return { entries, missing };
}

/** What comes from outside, for the sandboxes. */
export const sandboxValues = (): Record<string, string> => ({
  ...SANDBOX,
  SMS_AUTH_TOKEN: password(),
  RAZORPAY_KEY_SECRET: password(),
  RAZORPAY_WEBHOOK_SECRETS: password(),
});
